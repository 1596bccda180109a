// Lanes: a row for each component, a column for each step, and what each component is now.
import { htm, h } from "./vendor.js";

const html = htm.bind(h);

/** The lanes of a walk; `goTo(n)` goes to where n steps are taken. */
export function Lanes({ walk, hidesInternal, goTo }) {
  const columns = walk.steps
    .map((step, index) => ({ step, number: index + 1 }))
    .filter(({ step }) => !(hidesInternal && isInternal(step.event)));
  const rows = walk.components.map((component) => component.name);
  return html`
    <div class="lanes" tabindex="0" role="region" aria-label="Lanes: components and steps">
      <table>
        <thead>
          <tr>
            <th scope="col">component</th>
            ${columns.map(({ step, number }) => html`
              <th scope="col" class=${number === walk.steps.length ? "latest" : ""}>
                <button class=${isInternal(step.event) ? "internal" : ""} title=${`Go to step ${number}`}
                  onClick=${() => goTo(number)}>${step.event}</button>
              </th>`)}
            <th scope="col" class="now">now</th>
          </tr>
        </thead>
        <tbody>
          ${walk.components.map((component, row) => html`
            <tr class=${component.now === null ? "gone" : ""}>
              <th scope="row" title=${[...component.within, component.name].join(" › ")}>${component.name}</th>
              ${columns.map((column) => html`<${Cell} column=${column} row=${row} rows=${rows} latest=${walk.steps.length} />`)}
              <td class="now" title=${nowTitle(component)}>${component.now ?? "no longer runs"}</td>
            </tr>`)}
        </tbody>
      </table>
    </div>`;
}

/** What a component does in a step, with a line to the others that take part. */
function Cell({ column: { step, number }, row, rows, latest }) {
  const taking = step.parts.map((part) => rows.indexOf(part.component));
  const [first, last] = [Math.min(...taking), Math.max(...taking)];
  const part = step.parts[taking.indexOf(row)];
  const classes = [number === latest ? "latest" : ""];
  if (part) {
    classes.push("part");
    if (row === first) classes.push(row === last ? "only" : "first");
    else if (row === last) classes.push("last");
  } else if (row > first && row < last) {
    classes.push("between");
  }
  const own = part && part.event !== shown(step.event) && part.event !== step.event;
  return html`<td class=${classes.join(" ")}>
    ${part && html`<span class=${own ? "dot own" : "dot"} title=${`${part.component}: ${part.event}`}>
      ${own ? part.event : html`<span class="hidden">${part.event}</span>`}</span>`}
  </td>`;
}

const nowTitle = (component) =>
  component.now === null ? "" : `${component.now}\noffers ${component.offers.join(", ") || "nothing"}`;

/** Whether a step is internal. */
export const isInternal = (event) => event.startsWith("τ");

/** The event behind a hidden one, or the event itself. */
export const shown = (event) => (event.startsWith("τ (") ? event.slice(3, -1) : event);
