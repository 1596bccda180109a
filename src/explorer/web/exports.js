// The files that a graph can be saved as.
import { htm, h, useState } from "./vendor.js";
import { ask } from "./api.js";
import { marked, picture, saved } from "./exporting.js";

const html = htm.bind(h);

/** Buttons for the files of `graph`, which answers the request `asked`; `marks` are on its drawing. */
export function Exports({ app, graph, asked, marks }) {
  const [problem, setProblem] = useState(null);
  const title = [graph.compression, graph.expression].filter(Boolean).join("-");
  const text = async (format) => {
    const { overview, expanded, ...plain } = asked;
    const answer = await ask("graph", app.decided({ ...plain, format }));
    saved(title, format, answer.text);
  };
  const files = {
    SVG: () => saved(title, "svg", marked(graph.drawing, marks), "image/svg+xml"),
    PNG: async () => saved(title, "png", await picture(marked(graph.drawing, marks))),
    DOT: () => text("dot"),
    AUT: () => text("aut"),
  };
  const save = async (does) => {
    setProblem(null);
    try {
      await does();
    } catch (error) {
      setProblem([error.message, ...(error.problems ?? []).flatMap(({ notes }) => notes)].join(": "));
    }
  };
  return html`
    <div class="row" role="group" aria-label="Save the graph as a file">
      <span>Save as</span>
      ${Object.entries(files).map(([name, does]) => html`<button type="button" onClick=${() => save(does)}>${name}</button>`)}
      <span class="soft">SVG and PNG: the drawing; DOT for Graphviz, AUT for mCRL2: all states</span>
    </div>
    <div aria-live="polite">${problem && html`<p class="notice maybe">${problem}</p>`}</div>`;
}
