// The views of a few identities by which an assertion was decided for every value of a constant.
import { htm, h, useState, useRef, useEffect } from "./vendor.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** So many rows are shown at once. */
const ROWS = 500;

/** The views by which the assertion of this number was decided for every value, if they are wanted. */
export function Views({ app, assertion }) {
  const [outcome, setOutcome] = useState(null);
  const work = useRef(null);
  useEffect(() => () => work.current?.abort(), []);
  const look = async () => {
    const own = (work.current = new AbortController());
    setOutcome({ isBusy: true });
    try {
      const report = await app.ask("check", { assertion, views: true }, own.signal);
      setOutcome({ table: report.for_all.view_table });
    } catch (error) {
      if (!own.signal.aborted) setOutcome({ problem: error.message });
    }
  };
  return html`
    ${!outcome?.table && html`<button onClick=${look} disabled=${outcome?.isBusy}>Show the views</button>`}
    <div aria-live="polite">
      ${outcome?.isBusy && html`<p class="busy">collecting views…</p>`}
      ${outcome?.problem && html`<p class="notice bad">${outcome.problem}</p>`}
    </div>
    ${outcome?.table && html`<${ViewTable} assertion=${assertion} table=${outcome.table} />`}`;
}

function ViewTable({ assertion, table }) {
  const { identities, processes, views } = table;
  return html`
    <p class="soft">What a state looks like if only ${identities.join(" and ")} ${identities.length === 1 ? "is" : "are"} in sight, no matter which. <code>*</code> is an identity that is not in sight; a set with <code>all *</code> has all of these, one with <code>..</code> may have some.</p>
    <div class="listing" role="region" aria-label=${`Views of assertion ${assertion}`} tabindex="0">
      <table>
        <thead><tr>${processes.map((process) => html`<th scope="col"><code>${process.name}</code>${process.is_specification && html`<br />specification`}</th>`)}</tr></thead>
        <tbody>${views.slice(0, ROWS).map((view) => html`<tr>${view.map((state) => html`<td><code>${state}</code></td>`)}</tr>`)}</tbody>
      </table>
    </div>
    ${views.length > ROWS && html`<p class="soft">and ${count(views.length - ROWS, "more view")}</p>`}`;
}
