// The transition system of a process, as far as it is asked for.
import { htm, h, useState } from "./vendor.js";
import { Drawing } from "./drawing.js";
import { Asking } from "./asking.js";
import { Fold } from "./fold.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** More states than this are no drawing that anybody reads. */
const MOST = 300;

/** The view of the graph. */
export function GraphView({ app }) {
  const [most, setMost] = useState(60);
  return html`
    <p>Every state of a process and every step between them. States with a dashed border have steps that are not drawn.</p>
    <label class="row">At most <input type="number" min="1" max=${MOST} value=${most} onInput=${(e) => setMost(bounded(e.target.value))} /> states</label>
    <${Asking} app=${app} label="Process" action="Draw"
      ask=${(process, signal) => app.askDrawn("graph", { process, max: most }, signal)}
      answer=${(graph) => html`
        <p><strong>${count(graph.states.length, "state")}</strong>, ${count(graph.transitions.length, "transition")}${graph.complete ? "" : "; there are more states than are drawn"}</p>
        <${Drawing} svg=${graph.drawing} name=${`The graph of ${graph.expression}`} />
        <details><summary>The transitions as a table</summary>
          <table><thead><tr><th scope="col">from</th><th scope="col">event</th><th scope="col">to</th></tr></thead>
          <tbody>${graph.transitions.slice(0, 1000).map((step) => html`<tr><td>${step.from}</td><td><code>${step.label}${step.hidden.length > 0 ? ` (${step.hidden.join(", ")})` : ""}</code></td><td>${step.to}</td></tr>`)}</tbody></table>
        </details>
        <${Fold} app=${app} process=${graph.expression} most=${most} />`} />`;
}

const bounded = (text) => Math.min(Math.max(Number(text) || 1, 1), MOST);
