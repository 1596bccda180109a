// The parts of a text in Markdown that the site changes: blocks of code, links, and code within lines.

/** The characters that mean something in Markdown or HTML. */
const SPECIAL = /[\\`*_[\]<>&|#~]/g;

/** `text` as HTML that says just this. */
export const asHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** `text` as Markdown that says just this. */
export const asMarkdown = (text) => text.replace(SPECIAL, (character) => `&#${character.codePointAt(0)};`);

/**
 * `text` with its parts replaced: `block(code, language)` gives what stands for a block of code, `link(address)` the
 * address of a link, and `code(inner, line)` the address that code within a line leads to. Each may return `null`, which
 * leaves the part as it is.
 */
export function replaced(text, { block = () => null, link = () => null, code = () => null }) {
  const lines = text.split("\n");
  const done = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent, fence, language] = lines[index].match(/^( *)(`{3,})(\w*)\s*$/) ?? [];
    if (fence === undefined) {
      done.push(isIndented(lines[index]) ? lines[index] : inLine(lines[index], link, code));
      continue;
    }
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end < 0) throw new Error(`a block of code has no end: ${lines[index + 1]}`);
    const inner = lines.slice(index + 1, end).map((line) => line.slice(indent.length));
    const instead = indent === "" ? block(inner.join("\n"), language) : null;
    done.push(...(instead === null ? lines.slice(index, end + 1) : [instead]));
    index = end;
  }
  return done.join("\n");
}

/** True if a line is a block of code without fences. Continued items of a list are indented by less here. */
const isIndented = (line) => /^ {4}/.test(line);

function inLine(line, link, code) {
  const parts = /(?<isPicture>!?)\[(?<shown>(?:`[^`]*`|[^\]`])*)\]\((?<address>[^)\s]+)\)|(?<ticks>`+)(?<inner>.+?)\k<ticks>(?!`)/g;
  return line.replace(parts, (whole, ...rest) => {
    const { isPicture, shown, address, inner } = rest.at(-1);
    if (inner !== undefined) {
      const target = code(inner, line);
      return target === null ? whole : `[${whole}](${target})`;
    }
    return `${isPicture}[${shown}](${link(address) ?? address})`;
  });
}

/** The title of a text: its first heading. */
export function titleOf(text) {
  const [, title] = text.match(/^# (.+)$/m) ?? [];
  if (title === undefined) throw new Error(`a page has no title: ${text.slice(0, 60)}`);
  return title;
}
