// The little Markdown that texts of labs are written in: paragraphs, code, and words that stand out.
import { htm, h } from "./vendor.js";

const html = htm.bind(h);

/** `text` as elements. A line that begins with bold words begins a paragraph. */
export function Markdown({ text }) {
  return html`<div class="prose">${blocks(text).map(({ code, words }) => (code ? html`<pre>${code}</pre>` : html`<p>${inline(words)}</p>`))}</div>`;
}

function blocks(text) {
  const found = [];
  let open = null;
  for (const line of text.split("\n")) {
    const code = line.match(/^ {4}(.*)$/)?.[1];
    if (line.trim() === "") open = null;
    else if (code !== undefined && !open?.words) {
      // Lines of code belong together.
      const before = open ?? found[found.push({ code: "" }) - 1];
      before.code += (before.code && "\n") + code;
      open = before;
    } else if (open?.words && !line.startsWith("**")) open.words += ` ${line.trim()}`;
    else open = found[found.push({ words: line.trim() }) - 1];
  }
  return found;
}

/** Code between backticks, bold words between two stars, others that stand out between one. */
function inline(words) {
  const parts = words.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return parts.map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    return part.startsWith("*") && part.length > 2 ? html`<em>${part.slice(1, -1)}</em>` : part;
  });
}
