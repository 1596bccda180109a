// The structured machine of a process: operators over leaves.
import { htm, h } from "./vendor.js";
import { Drawing } from "./drawing.js";
import { Asking } from "./asking.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** The view of the machine. */
export function StructureView({ app }) {
  return html`
    <p>A process is compiled to a tree of operators over <em>leaves</em>, each a small transition system. A state of the whole is one state of each leaf.</p>
    <${Asking} app=${app} label="Process" action="Compile"
      ask=${(process, signal) => app.askDrawn("machine", { process }, signal)}
      answer=${(machine) => html`
        <p><strong>${count(machine.leaves.length, "leaf").replace("leafs", "leaves")}</strong>, ${count(machine.rules, "rule")}, ${count(machine.bits_per_state, "bit")} a state</p>
        ${machine.drawing && html`<${Drawing} svg=${machine.drawing} name=${`The machine of ${machine.expression}`} />`}
        <details><summary>The leaves as a table</summary>
          <table><thead><tr><th scope="col">leaf</th><th scope="col">states</th><th scope="col">transitions</th></tr></thead>
          <tbody>${machine.leaves.slice(0, 500).map((leaf) => html`<tr><td><code>${leaf.expression}</code></td><td>${leaf.states}</td><td>${leaf.transitions}</td></tr>`)}</tbody></table>
        </details>`} />`;
}
