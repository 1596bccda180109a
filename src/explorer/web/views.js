// The views of a few identities by which an assertion was decided for every value of a constant.
import { htm, h } from "./vendor.js";
import { Progress, Stop, useRequest } from "./asking.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** So many rows are shown at once. */
const ROWS = 500;

/** The views by which the assertion of this number was decided for every value, if they are wanted. */
export function Views({ app, assertion }) {
  const request = useRequest(app);
  const { outcome } = request;
  const look = () => request.run(async (signal) => (await app.ask("check", { assertion, views: true }, signal)).for_all.view_table);
  return html`
    ${!outcome?.result && html`<button onClick=${look} disabled=${outcome?.isBusy}>Show the views</button>`}
    <${Stop} request=${request} />
    <${Progress} app=${app} request=${request} busy="collecting views…" />
    ${outcome?.result && html`<${ViewTable} assertion=${assertion} table=${outcome.result} />`}`;
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
