// Words of the command line, as a shell splits them.

/** The words of `text`. What stands between quotes is one word, or a part of one. */
export function split(text) {
  const words = [];
  for (const [, ...parts] of text.matchAll(/((?:'[^']*'|"[^"]*"|[^\s'"])+)/g)) {
    words.push(parts[0].replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
  }
  return words;
}
