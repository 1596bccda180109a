// The structured machine of a process: operators over leaves, or the channels between them.
import { htm, h, useState } from "./vendor.js";
import { Drawing } from "./drawing.js";
import { Asking } from "./asking.js";
import { Channels } from "./channels.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** What can be drawn of a process, by the method that is asked for it. */
const KINDS = { machine: "operators", channels: "channels" };

/** The view of the machine. */
export function StructureView({ app }) {
  const [kind, setKind] = useState("machine");
  return html`
    <p>A process is compiled to a tree of operators over <em>leaves</em>, each a small transition system. A state of the whole is one state of each leaf. The leaves are its components, which meet in channels.</p>
    <fieldset class="row kinds"><legend class="hidden">Drawn are</legend>
      ${Object.entries(KINDS).map(([value, name]) => html`<label><input type="radio" name="structure-kind" value=${value} checked=${kind === value} onChange=${() => setKind(value)} /> ${name}</label>`)}
    </fieldset>
    <${Asking} app=${app} label="Process" action="Compile" kind=${kind}
      ask=${(process, signal) => app.askDrawn(kind, { process }, signal).then((found) => ({ kind, found }))}
      answer=${({ kind, found }) => (kind === "channels" ? html`<${Channels} graph=${found} />` : html`<${Operators} machine=${found} />`)} />`;
}

function Operators({ machine }) {
  return html`
    <p><strong>${count(machine.leaves.length, "leaf").replace("leafs", "leaves")}</strong>, ${count(machine.rules, "rule")}, ${count(machine.bits_per_state, "bit")} a state</p>
    ${machine.drawing && html`<${Drawing} svg=${machine.drawing} name=${`The machine of ${machine.expression}`} />`}
    <details><summary>The leaves as a table</summary>
      <table><thead><tr><th scope="col">leaf</th><th scope="col">states</th><th scope="col">transitions</th></tr></thead>
      <tbody>${machine.leaves.slice(0, 500).map((leaf) => html`<tr><td><code>${leaf.expression}</code></td><td>${leaf.states}</td><td>${leaf.transitions}</td></tr>`)}</tbody></table>
    </details>`;
}
