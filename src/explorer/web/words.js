// Words of the command line, as a shell splits them.

/** The words of `text`. What stands between quotes is one word, or a part of one. */
export function split(text) {
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
}
