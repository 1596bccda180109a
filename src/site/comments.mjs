// The comments of scripts, as people read them.
import { asHtml } from "./markdown.mjs";

/** The lines of the comment that a script begins with, without their dashes. */
export const firstComment = (script) => commentOf(script.split("\n"), 0, 1);

/** The lines of the comment right above the line with this number, which counts from 1. */
export const commentAbove = (script, number) => commentOf(script.split("\n"), number - 2, -1).reverse();

function commentOf(lines, from, step) {
  const found = [];
  for (let at = from; /^--/.test(lines[at] ?? "") && !/^-{4}/.test(lines[at]); at += step) found.push(lines[at].replace(/^-- ?/, "").trimEnd());
  return found;
}

/** The subject of a script: how its first sentence begins. */
export function subjectOf(lines) {
  const [, subject] = lines.join(" ").match(/^(.+?)(?:[.:](?= |$)| \()/) ?? [];
  if (subject === undefined) throw new Error(`a script has to say first what it is about: ${lines.join(" ").slice(0, 60)}`);
  return subject;
}

/** The lines of a comment after a first paragraph that says no more than the subject. */
export function withoutSubject(lines, subject) {
  const end = lines.indexOf("");
  const first = lines.slice(0, end < 0 ? lines.length : end).join(" ");
  return first === `${subject}.` ? lines.slice(end < 0 ? lines.length : end + 1) : lines;
}

/** A comment as HTML: paragraphs, lists, and what is indented as it stands. */
export function commentHtml(lines) {
  const blocks = [];
  for (const line of lines) {
    const kind = line === "" ? null : /^\* /.test(line) || (/^ {2}\S/.test(line) && blocks.at(-1)?.kind === "ul") ? "ul" : /^ /.test(line) ? "pre" : "p";
    if (blocks.at(-1)?.kind !== kind) blocks.push({ kind, lines: [] });
    blocks.at(-1).lines.push(line);
  }
  return blocks.filter(({ kind }) => kind !== null).map(blockHtml).join("\n");
}

function blockHtml({ kind, lines }) {
  if (kind === "p") return `<p>${asHtml(lines.join(" "))}</p>`;
  if (kind === "pre") return `<pre class="layout">${asHtml(lines.map((line) => line.slice(2)).join("\n"))}</pre>`;
  const items = lines.map((line) => line.replace(/^\* /, "\0").trimStart()).join(" ").split("\0").slice(1);
  return `<ul>${items.map((item) => `<li>${asHtml(item.trim())}</li>`).join("")}</ul>`;
}
