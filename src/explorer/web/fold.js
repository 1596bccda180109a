// The states that a check searches, and how symmetries fold them onto representatives.
import { htm, h, useState, useEffect, useRef } from "./vendor.js";
import { Progress, Stop, useRequest } from "./asking.js";
import { places } from "./places.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** How long folding takes, in milliseconds. */
const DURATION = 1400;

/** The side of the drawing, and what is left free around it. */
const SIDE = 640;
const MARGIN = 36;

/** Orbits have so many colours, which come again. */
const COLOURS = 8;

/** What is folded: the check of `process`, or of an assertion that is picked. */
export function Fold({ app, process, most }) {
  const { assertions } = app.state;
  const [picked, setPicked] = useState("");
  const [fixes, setFixes] = useState(false);
  const request = useRequest(app);
  const { outcome } = request;
  useEffect(() => request.forget(), [process, picked, fixes, most]);
  const subject = picked === "" ? { process } : { assertion: Number(picked) };
  const look = () => request.run((signal) => app.ask("graph", { ...subject, orbits: true, max: most, fix_initial: fixes }, signal));
  return html`
    <section class="card spaced" aria-label="Fold by symmetry">
      <h2>Fold by symmetry</h2>
      <p class="soft">States that symmetries take to each other have one colour. Of each colour a search stores one, the representative.</p>
      <div class="row">
        <label for="folded">Symmetries of</label>
        <select id="folded" value=${picked} onChange=${(e) => setPicked(e.target.value)}>
          <option value="">${process} by itself</option>
          ${assertions.map((a) => html`<option value=${a.number}>${a.number}: ${a.text}</option>`)}
        </select>
        <label><input type="checkbox" checked=${fixes} onChange=${(e) => setFixes(e.target.checked)} /> that fix the start</label>
        ${!outcome?.result && html`<button class="primary" onClick=${look}>Find orbits</button>`}
        <${Stop} request=${request} />
      </div>
      <${Progress} app=${app} request=${request} />
      ${outcome?.result && html`<${Folding} graph=${outcome.result} />`}
    </section>`;
}

function Folding({ graph }) {
  const [isFolded, setFolded] = useState(false);
  const [t, setT] = useState(0);
  const layout = useRef(null);
  if (layout.current?.graph !== graph) layout.current = laidOut(graph);
  useEffect(() => animated(t, isFolded ? 1 : 0, setT), [isFolded]);
  const { orbits } = layout.current;
  const name = `${count(graph.states.length, "state")} in ${count(orbits.length, "orbit")}`;
  return html`
    <p aria-live="polite"><strong>${name}</strong> under ${graph.orbits.order === "1" ? "no symmetry but the one that moves nothing" : `${graph.orbits.order} symmetries: ${graph.orbits.structure}`}${graph.complete ? "" : "; some steps lead to states that are not drawn"}.</p>
    <button class="primary" aria-pressed=${isFolded ? "true" : "false"} onClick=${() => setFolded(!isFolded)}>${isFolded ? "Unfold" : "Fold"}</button>
    <${Picture} layout=${layout.current} t=${t} name=${`${name}, ${isFolded ? "folded onto representatives" : "unfolded"}`} />
    <details><summary>The orbits as a list</summary>
      <ol class="orbit-list">${orbits.map((members) => html`
        <li>${count(members.length, "state")}: ${members.map((state, index) => html`${index > 0 && ", "}<span title=${graph.states[state].term}>${state}${graph.states[state].representative ? html` <span class="badge">representative</span>` : ""}</span>`)}</li>`)}</ol>
    </details>`;
}

/** Where the nodes are, and where they are folded to. */
function laidOut(graph) {
  const { states, transitions } = graph;
  const pairs = new Map();
  for (const { from, to } of transitions) {
    if (from !== to) pairs.set(`${Math.min(from, to)} ${Math.max(from, to)}`, [from, to]);
  }
  const edges = [...pairs.values()];
  const scale = (value) => MARGIN + value * (SIDE - 2 * MARGIN);
  const at = places(states.length, edges).map(([x, y]) => [scale(x), scale(y)]);
  const orbits = [];
  states.forEach((state, number) => (orbits[state.orbit] ??= []).push(number));
  // Where no representative can be reached, the state that is met first stands for its orbit.
  const stands = orbits.map((members) => members.find((number) => states[number].representative) ?? members[0]);
  return { graph, edges, at, orbits, stands, radius: states.length > 120 ? 7 : 13 };
}

function Picture({ layout, t, name }) {
  const { graph, edges, at, orbits, stands, radius } = layout;
  const now = graph.states.map((state, number) => {
    const [x, y] = at[number];
    const [toX, toY] = at[stands[state.orbit]];
    return t === 1 ? [toX, toY] : [x + (toX - x) * t, y + (toY - y) * t];
  });
  // The nodes that stay are drawn above those that come to them.
  const order = graph.states.map((_, number) => number).sort((a, b) => Number(isStaying(a)) - Number(isStaying(b)));
  function isStaying(number) {
    return stands[graph.states[number].orbit] === number;
  }
  return html`
    <div class="drawing folding" tabindex="0" role="region" aria-label="The orbits, can be scrolled">
      <svg role="img" aria-label=${name} viewBox=${`0 0 ${SIDE} ${SIDE}`} width=${SIDE} height=${SIDE}>
        ${t > 0 && html`<g class="ghost" aria-hidden="true">
          ${edges.map(([from, to]) => html`<line class="line" x1=${at[from][0]} y1=${at[from][1]} x2=${at[to][0]} y2=${at[to][1]} />`)}
          ${at.map(([x, y]) => html`<rect x=${x - 3} y=${y - 3} width="6" height="6" rx="3" />`)}
        </g>`}
        ${edges.map(([from, to]) => html`<line class="line" x1=${now[from][0]} y1=${now[from][1]} x2=${now[to][0]} y2=${now[to][1]} />`)}
        ${order.map((number) => {
          const state = graph.states[number];
          const [x, y] = now[number];
          const stays = isStaying(number);
          return html`
            <g class=${`node colour-${state.orbit % COLOURS} ${stays ? "stays" : ""}`}>
              <title>${`${number}: ${state.term}`}</title>
              <circle cx=${x} cy=${y} r=${radius} />
              ${(stays || t === 0) && radius > 10 && html`<text x=${x} y=${y} dy="0.35em" text-anchor="middle">${t > 0 && stays ? `×${orbits[state.orbit].length}` : number}</text>`}
            </g>`;
        })}
      </svg>
    </div>`;
}

/** Moves `t` from one value to another; at once for those who want no motion. Returns what stops it. */
function animated(from, to, setT) {
  if (from === to) return undefined;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    setT(to);
    return undefined;
  }
  let frame;
  const began = performance.now();
  const move = (time) => {
    const done = Math.min(Math.max((time - began) / DURATION, 0), 1);
    // Slow at both ends.
    const eased = done * done * (3 - 2 * done);
    setT(done === 1 ? to : from + (to - from) * eased);
    if (done < 1) frame = requestAnimationFrame(move);
  };
  frame = requestAnimationFrame(move);
  return () => cancelAnimationFrame(frame);
}
