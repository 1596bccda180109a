// The communication graph of a process: components, and the channels between them.
import { htm, h } from "./vendor.js";
import { Drawing } from "./drawing.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** The most rows of a table. */
const MOST_ROWS = 500;

/** The answer to `channels`. */
export function Channels({ graph }) {
  const shared = graph.channels.filter(({ ends }) => ends.length > 1);
  return html`
    <p><strong>${count(graph.components.length, "component")}</strong>, ${count(shared.length, "channel")} between them, ${graph.order === null ? "no symmetries looked for" : `${graph.order === "1" ? "1 symmetry" : `${graph.order} symmetries`} (${graph.structure})`}</p>
    ${graph.drawing && html`<${Drawing} svg=${graph.drawing} name=${`The channels of ${graph.expression}`} />`}
    ${graph.broken.length > 0 && html`<section aria-label="What breaks symmetries"><h2>What breaks symmetries</h2>
      <ul>${graph.broken.slice(0, MOST_ROWS).map(({ name, reason, place }) => html`<li><code>${name}</code>${place && html` at <code>${place}</code>`}: ${reason}</li>`)}</ul></section>`}
    <details><summary>The channels as a table</summary>
      <table><thead><tr><th scope="col">channel</th><th scope="col">events</th><th scope="col">ends</th><th scope="col">passes on</th></tr></thead>
      <tbody>${graph.channels.slice(0, MOST_ROWS).map((channel) => html`<tr><td><code>${channel.name}</code>${channel.hidden && " (hidden)"}${channel.breaks.length > 0 && " (breaks a symmetry)"}</td><td>${channel.events}</td><td>${ends(graph, channel)}</td><td>${channel.references.join(", ")}</td></tr>`)}</tbody></table>
    </details>`;
}

/** Who sends what to whom, in words. */
function ends({ components }, { ends }) {
  const name = ({ component, sends, receives }) => {
    const does = [sends && "sends", receives && "receives"].filter(Boolean).join(" and ");
    return html`<div><code>${components[component].name}</code>${does && ` ${does}`}${ends.length === 1 && " alone"}</div>`;
  };
  return ends.map(name);
}
