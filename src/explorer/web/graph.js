// The transition system of a process: drawn as a whole or as an overview, searched, walked to, and exported.
import { htm, h, useState, useEffect, useMemo } from "./vendor.js";
import { Drawing } from "./drawing.js";
import { Outdated } from "./asking.js";
import { ProcessOffers } from "./offers.js";
import { Exports } from "./exports.js";
import { Failure } from "./problems.js";
import { Fold } from "./fold.js";
import { stateAfter, textOf, trailOf, wayTo } from "./trail.js";
import { count } from "./walk.js";
import { verdictOf } from "./checking.js";

const html = htm.bind(h);

/** The states that are asked for at first, and at most. */
const FIRST = 2000;
const MOST = 20000;
/** Folding is animated for no more states than that. */
const MOST_FOLDED = 300;
/** So many rows of the table are shown. */
const ROWS = 1000;

const COMPRESSIONS = [
  ["", "none: every state"], ["sbisim", "sbisim: strong bisimilarity"], ["wbisim", "wbisim: weak bisimilarity"],
  ["dbisim", "dbisim: delay bisimilarity"], ["normal", "normal: normal form"], ["lazynorm", "lazynorm: normal, unless larger"],
  ["diamond", "diamond: without states between τ"], ["tau_loop_factor", "tau_loop_factor: loops of τ"],
  ["model_compress", "model_compress: what keeps the models"],
];

const OVERVIEWS = [
  ["auto", "as fits"], ["", "every state"], ["layers", "layers: equally far from the start"],
  ["components", "strong components: states that reach each other"], ["orbits", "orbits: symmetric states folded"],
];

/** The view of the graph. What it shows stays while other views are looked at. */
export function GraphView({ app }) {
  const { processes, subject, toAsk } = app.state;
  const [, setTurn] = useState(0);
  const kept = (app.graph ??= {
    typed: null, most: FIRST, compression: "", overview: "auto", expanded: [], outcome: null, search: "", found: 0, picked: null,
  });
  kept.text = kept.typed ?? subject?.process ?? processes.at(-1) ?? "";
  const set = (changes) => {
    Object.assign(kept, changes);
    setTurn((turn) => turn + 1);
  };
  const draw = (changes = {}) => drawn(app, kept, set, changes);
  useEffect(() => {
    if (!toAsk) return;
    app.setState({ toAsk: null });
    draw({ typed: toAsk });
  }, [toAsk]);
  const submit = (event) => {
    event.preventDefault();
    draw();
  };
  const { outcome } = kept;
  const choice = (id, label, values, key) => html`
    <span class="field"><label for=${id}>${label}</label>
      <select id=${id} value=${kept[key]} onChange=${(e) => set({ [key]: e.target.value })}>
        ${values.map(([value, text]) => html`<option value=${value} selected=${kept[key] === value}>${text}</option>`)}
      </select></span>`;
  return html`
    <form class="graph-form" onSubmit=${submit}>
      <div class="row">
        <label for="asked">Process</label>
        <input id="asked" list="asked-processes" class="code grow" value=${kept.text} onInput=${(e) => set({ typed: e.target.value })} />
        <datalist id="asked-processes">${processes.map((name) => html`<option value=${name} />`)}</datalist>
        <button class="primary" type="submit">Draw</button>
        ${outcome?.isBusy && html`<button type="button" onClick=${() => kept.work.abort()}>Stop</button>`}
      </div>
      <div class="row">
        <label>At most <input type="number" min="1" max=${MOST} value=${kept.most} onChange=${(e) => set({ most: bounded(e.target.value) })} /> states</label>
        ${choice("compressed", "Compressed by", COMPRESSIONS, "compression")}
        ${choice("overview", "Drawn", OVERVIEWS, "overview")}
      </div>
    </form>
    <div aria-live="polite">
      ${outcome?.isBusy && html`<p class="busy">working…</p>`}
      ${outcome?.problem && html`<${Failure} app=${app} error=${outcome.problem} />`}
    </div>
    ${!outcome && html`<${ProcessOffers} app=${app} title="Draw one of these" choose=${(typed) => draw({ typed })} />`}
    ${outcome?.graph && html`<${Outdated} app=${app} version=${outcome.version} />`}
    ${outcome?.graph && html`<${Shown} key=${outcome.turn} app=${app} kept=${kept} set=${set} draw=${draw} />`}`;
}

const bounded = (text) => Math.min(Math.max(Math.round(Number(text)) || 1, 1), MOST);

/** Asks for the graph as it is chosen, with `changes`, and keeps the answer. */
async function drawn(app, kept, set, changes) {
  const isSame = "expanded" in changes;
  set({ expanded: [], focus: null, ...changes });
  const process = (kept.typed ?? kept.text).trim();
  if (!process) return;
  kept.typed = process;
  kept.work?.abort();
  const own = (kept.work = new AbortController());
  const before = isSame ? kept.outcome : null;
  const { version } = app.state;
  const orbits = kept.overview === "orbits";
  const asked = {
    process, max: kept.most, orbits,
    ...(kept.compression && !orbits ? { compression: kept.compression } : {}),
    ...(kept.overview ? { overview: kept.overview, expanded: kept.expanded.map(({ group }) => group) } : {}),
  };
  set({ outcome: { ...before, isBusy: true, problem: null } });
  try {
    const graph = await app.askDrawn("graph", asked, own.signal);
    const turn = before?.turn ?? (kept.turns = (kept.turns ?? 0) + 1);
    if (kept.work === own) set({ outcome: { graph, asked, version, turn } });
  } catch (error) {
    if (kept.work === own) set({ outcome: own.signal.aborted ? before && { ...before, isBusy: false } : { problem: error } });
  }
}

function Shown({ app, kept, set, draw }) {
  const { graph, asked } = kept.outcome;
  const after = useMemo(() => outgoing(graph), [graph]);
  const trails = failures(app, graph);
  const picked = kept.picked === "none" ? null : (trails.find(({ number }) => number === kept.picked) ?? trails[0] ?? null);
  const trail = useMemo(() => picked && trailOf(graph, picked.found), [graph, picked?.found]);
  const found = useMemo(() => matching(graph, after, kept.search), [graph, kept.search]);
  const marks = useMemo(() => ({ trail: trail?.steps ?? [], found, present: kept.focus?.state ?? null }), [trail, found, kept.focus]);
  const look = (step) => {
    const at = ((kept.found + step) % found.length + found.length) % found.length;
    set({ found: at, focus: { state: found[at] } });
  };
  const search = (event) => {
    event.preventDefault();
    if (found.length > 0) look(kept.focus && found.includes(kept.focus.state) ? 1 : 0);
  };
  const choose = (node) => {
    if (node.group === null) return walkTo(app, graph, asked, node.states[0], set);
    const name = node.element.querySelector("text").textContent;
    return draw({ expanded: [...kept.expanded, { group: node.group, name }], focus: { state: node.states[0], takes: true } });
  };
  return html`
    ${!graph.complete && html`<p class="notice maybe">There are more states than are drawn: these are the ${graph.states.length} nearest to the start.
      ${graph.states.length < MOST && html` <button onClick=${() => draw({ most: Math.min(graph.states.length * 4, MOST) })}>Draw up to ${Math.min(graph.states.length * 4, MOST)}</button>`}</p>`}
    <div class="row found-row">
      <span><strong>${count(graph.states.length, "state")}</strong>, ${count(graph.transitions.length, "transition")}</span>
      <form class="row" role="search" onSubmit=${search}>
        <label for="sought">Find</label>
        <input id="sought" class="code" size="14" value=${kept.search} placeholder="a state or an event" onInput=${(e) => set({ search: e.target.value, found: 0, focus: null })} />
        <button type="submit" disabled=${found.length === 0}>Next</button>
        <button type="button" disabled=${found.length === 0} onClick=${() => look(-1)}>Previous</button>
        <span class="soft" aria-live="polite">${kept.search.trim() && (found.length === 0 ? "not found" : kept.focus ? `${kept.found + 1} of ${count(found.length, "state")}` : `${count(found.length, "state")} found`)}</span>
      </form>
      ${trails.length > 0 && html`
        <span class="field"><label for="trail">Counterexample of</label>
        <select id="trail" value=${picked?.number ?? "none"} onChange=${(e) => set({ picked: e.target.value === "none" ? "none" : Number(e.target.value) })}>
          <option value="none">none</option>
          ${trails.map(({ number, text }) => html`<option value=${number} selected=${picked?.number === number}>${number}: ${text}</option>`)}
        </select></span>`}
    </div>
    ${trail && html`<p class="trail-told"><strong>${count(trail.steps.length, "step")}</strong> of the counterexample are marked${trail.isWhole ? "" : "; then it leaves what is drawn"}:
      ${" "}<code>⟨${trail.steps.slice(0, 40).map(textOf).join(", ")}${trail.steps.length > 40 ? ", …" : ""}⟩</code></p>`}
    ${kept.expanded.length > 0 && html`<p class="row">Expanded: ${kept.expanded.map(({ group, name }) => html`
      <button aria-label=${`Close ${name}`} onClick=${() => draw({ expanded: kept.expanded.filter((other) => other.group !== group) })}>${name} ×</button>`)}</p>`}
    <${Drawing} svg=${graph.drawing} name=${`The graph of ${graph.expression}`} marks=${marks} focus=${kept.focus} takesFocus=${kept.focus?.takes}
      told=${(node) => told(graph, after, node)} choose=${choose} goes="A click, or Enter, walks to a state and expands a box." />
    <${Exports} app=${app} graph=${graph} asked=${asked} marks=${marks} />
    <details><summary>The transitions as a table</summary>
      <table><thead><tr><th scope="col">from</th><th scope="col">event</th><th scope="col">to</th></tr></thead>
      <tbody>${graph.transitions.slice(0, ROWS).map((step) => html`<tr><td>${step.from}</td><td><code>${textOf(step)}</code></td><td>${step.to}</td></tr>`)}</tbody></table>
      ${graph.transitions.length > ROWS && html`<p class="soft">and ${graph.transitions.length - ROWS} more: <em>AUT</em> and <em>DOT</em> have all of them</p>`}
    </details>
    <${Fold} app=${app} process=${graph.expression} most=${Math.min(kept.most, MOST_FOLDED)} />`;
}

/** The assertions about the process of `graph` that were found to fail, with their counterexamples. */
function failures(app, graph) {
  const plain = (text) => text?.replace(/\s+/g, "");
  return app.state.assertions.flatMap(({ number, text, process }) => {
    const found = verdictOf(app.state, number)?.report?.counterexample;
    return found && plain(process) === plain(graph.expression) ? [{ number, text, found }] : [];
  });
}

/** By state, its transitions. */
function outgoing(graph) {
  const after = graph.states.map(() => []);
  for (const step of graph.transitions) after[step.from].push(step);
  return after;
}

/** The states with this number, with this in their terms, or with an event that has this in its text. */
function matching(graph, after, search) {
  const sought = search.trim().toLowerCase();
  if (!sought) return [];
  const has = (text) => text?.toLowerCase().includes(sought);
  const numbers = graph.states.map((_, number) => number);
  return numbers.filter((number) => String(number) === sought || has(graph.states[number].term) || after[number].some((step) => has(textOf(step))));
}

/** What a node is, in one line. */
function told(graph, after, node) {
  if (node.group !== null) {
    const lines = [...node.element.querySelectorAll("text")].map((line) => line.textContent);
    return `${lines.join(" ")}: expands into its states`;
  }
  const [number] = node.states;
  const { term, omitted } = graph.states[number];
  const steps = after[number].slice(0, 8).map((step) => `${textOf(step)} to ${step.to}`);
  const more = after[number].length - steps.length;
  return `State ${number}${term ? `: ${cut(term)}` : ""}. ${steps.join(", ") || "No transitions"}${more > 0 ? `, and ${more} more` : ""}${omitted > 0 ? `, and ${omitted} that are not drawn` : ""}`;
}

const cut = (term) => (term.length > 160 ? `${term.slice(0, 90)} … ${term.slice(-60)}` : term);

/** Walks to a state by a shortest way. The states of a compressed graph, and those of a check, are found by their runs. */
async function walkTo(app, graph, asked, state, set) {
  let number = state;
  try {
    if (asked.compression || asked.orbits) {
      const plain = await app.ask("graph", { process: asked.process, max: MOST });
      number = stateAfter(plain, wayTo(graph, state), graph.states[state].term ?? undefined);
    }
    if (number === null) throw new Error(`No run of the process as it is was found that leads to state ${state}.`);
    await app.walkToState(asked.process, number);
  } catch (error) {
    app.setState({ note: error.message });
    set({});
  }
}
