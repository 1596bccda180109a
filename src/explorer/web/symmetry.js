// The symmetries of a check: which there are, what they move, and what breaks the others.
import { htm, h, useState } from "./vendor.js";
import { Progress, Stop, useRequest } from "./asking.js";
import { Offers } from "./offers.js";
import { count } from "./walk.js";
import { OrbitCards } from "./orbits.js";
import { Tracks } from "./tracks.js";
import { Breaking } from "./breaking.js";
import { brief } from "./names.js";

const html = htm.bind(h);

/** The view of symmetries. */
export function SymmetryView({ app }) {
  const { assertions } = app.state;
  const [chosen, setChosen] = useState(null);
  const request = useRequest(app);
  const { outcome } = request;
  // The script may have fewer assertions than before.
  const picked = assertions.some(({ number }) => number === chosen) ? chosen : (assertions[0]?.number ?? null);
  const look = (assertion) => {
    setChosen(assertion);
    return request.run((signal) => app.ask("symmetry", { assertion }, signal));
  };
  if (assertions.length === 0) return html`<p>Symmetries belong to an assertion, and this script has none.</p><${OrbitCards} app=${app} />`;
  return html`
    <p>A <em>symmetry</em> renames events so that process and specification stay what they are. Of all states that symmetries take to each other, a check searches one.</p>
    <div class="row">
      <label for="symmetric">Assertion</label>
      <select id="symmetric" value=${picked} onChange=${(e) => setChosen(Number(e.target.value))}>
        ${assertions.map((a) => html`<option value=${a.number}>${a.number}: ${a.text}</option>`)}
      </select>
      <button class="primary" onClick=${() => look(picked)}>Find symmetries</button>
      <${Stop} request=${request} />
    </div>
    <${Progress} app=${app} request=${request} busy="looking for symmetries…" />
    ${!outcome && html`<${Offers} title="Find the symmetries of one of these" all=${assertions} choose=${({ number }) => look(number)} name=${({ number, text }) => `${number}: ${text}`} />`}
    ${outcome?.result && html`<${Found} app=${app} found=${outcome.result} />`}
    <${Tracks} key=${`tracks-${picked}`} app=${app} assertion=${picked} />
    <${Breaking} key=${`breaking-${picked}`} app=${app} assertion=${picked} />
    <${OrbitCards} app=${app} />`;
}

/** A link to a place of the script, if there is one. */
const Place = ({ app, place }) => place && html` <button class="link" onClick=${() => app.showText(place)}>${place}</button>`;

function Found({ app, found }) {
  return html`
    <div class="notice ${found.order === "1" ? "maybe" : "good"}">
      <strong>${found.order === "1" ? "No symmetry but the one that moves nothing" : `${brief(found.order)} ${found.listed ? "symmetries" : "permutations of values change nothing"}`}</strong>
      ${found.order !== "1" && html`: ${found.structure}`}. ${found.normal_components && "Nondeterministic components are in normal form, as by “normal”: more values can be renamed then. "}${found.listed
        ? `A check uses ${found.algorithm}${found.representative ? `, ${found.representative}` : ""}.`
        : "They are symmetries of the definitions, which only compare these values. Components are too large to be listed at once, so there may be more, and some may move nothing that happens. A check searches terms, one of each orbit."}
    </div>
    ${found.generators.length > 0 && html`
      <section class="card"><h2>Made from these</h2>
        <ul>${found.generators.map((generator) => html`<li><code>${generator.name}</code> <span class="soft">${generator.source}${generator.moves_initial ? ", moves the initial state" : ""}${generator.moves_specification ? ", moves the specification" : ""}</span></li>`)}</ul>
      </section>`}
    ${found.near.length > 0 && html`
      <section class="card"><h2>Nearly symmetric</h2>
        <p class="soft">The symmetries that there would be if one component always allowed all of its events.</p>
        <ul>${found.near.map((near) => html`<li><code>${found.leaves[near.leaf].expression}</code>: ${brief(near.order)} symmetries, ${near.structure}</li>`)}</ul>
      </section>`}
    ${found.looked_into.length > 0 && html`
      <section class="card"><h2>Where the script looks into values of these types and of others</h2>
        <ul>${found.looked_into.map((looked) => html`<li>${looked.reason}<${Place} app=${app} place=${looked.place} /></li>`)}</ul>
      </section>`}
    ${found.listed && html`<${Listed} app=${app} found=${found} />`}`;
}

/** What is known of a check whose components were listed. */
function Listed({ app, found }) {
  return html`
    <section class="card"><h2>Orbits of leaves</h2>
      <p class="soft">Leaves on one card take each other's place.</p>
      <div class="orbits">${found.leaf_orbits.map((orbit) => html`
        <div class="orbit"><h3>${count(orbit.length, "leaf").replace("leafs", "leaves")}</h3>
          <ul class="offers">${orbit.slice(0, 30).map((leaf) => html`<li>${found.leaves[leaf].expression}</li>`)}${orbit.length > 30 && html`<li>and ${orbit.length - 30} more</li>`}</ul>
        </div>`)}</div>
    </section>
    <section class="card"><h2>Orbits of events</h2>
      <div class="orbits">${found.event_orbits.slice(0, 60).map((orbit) => html`
        <div class="orbit"><h3>${count(orbit.length, "event")}</h3>
          <ul class="offers">${orbit.slice(0, 12).map((event) => html`<li>${event}</li>`)}${orbit.length > 12 && html`<li>and ${orbit.length - 12} more</li>`}</ul>
        </div>`)}</div>
      ${found.event_orbits.length > 60 && html`<p class="soft">and ${found.event_orbits.length - 60} more orbits</p>`}
    </section>
    ${found.rejected.length > 0 && html`
      <section class="card"><h2>What was tried and is no symmetry</h2>
        <ul>${found.rejected.slice(0, 60).map((rejection) => html`<li><code>${rejection.name}</code>: ${rejection.reason}<${Place} app=${app} place=${rejection.place} /></li>`)}</ul>
      </section>`}`;
}
