// The pages of the site: from which file each is, and what leads to it.
import { posix } from "node:path";
import { asMarkdown, replaced } from "./markdown.mjs";
import { highlighted } from "./highlight.mjs";

/** All pages, in the order in which they are read. */
export class Pages {
  constructor() {
    this.all = [];
    /** The page that stands for a file of the repository, or for a call in a text. */
    this.targets = new Map();
  }

  /** Adds a page at `path`, such as `manual/time.md`. `from` are the files and calls that lead to it. */
  add({ path, title, text, from = [], depth = 0, part = null }) {
    if (this.all.some((page) => page.path === path)) throw new Error(`two pages are ${path}`);
    this.all.push({ path, title, text, depth, part });
    for (const source of from) this.targets.set(source, path);
  }

  /** The address of what `source` leads to, as seen from the page at `path`; null if that is this page, or none. */
  towards(source, path) {
    const target = this.targets.get(source);
    return target === undefined || target === path ? null : posix.relative(posix.dirname(path), target);
  }

  /**
   * The text of a file of the repository, for the page at `path`: its links lead to pages, and so do calls such as
   * `cspsym help time`; blocks of code have colours. `more` finds what else code leads to.
   */
  text(text, { path, file, more = () => null }) {
    return replaced(text, {
      block: (code, language) => highlighted(code, language),
      code: (inner, line) => more(inner, line) ?? this.towards(inner, path),
      link: (address) => {
        if (/^(https?:|#)/.test(address)) return null;
        const target = posix.join(posix.dirname(file), address);
        if (!this.targets.has(target)) throw new Error(`${file} has a link to ${address}, which is not in the site`);
        return this.towards(target, path) ?? "#";
      },
    });
  }

  /** The list of pages that mdBook reads. */
  summary() {
    const lines = this.all.map(({ path, title, depth, part }) => `${part ? `\n# ${part}\n\n` : ""}${"  ".repeat(depth)}- [${asMarkdown(title)}](${path})`);
    return `# Summary\n\n${lines.join("\n")}\n`;
  }
}
