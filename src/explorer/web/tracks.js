// Two tracks of one counterexample, step by step: what a search with symmetries saw, and the real run.
import { htm, h, useState, useRef, useEffect } from "./vendor.js";
import { Progress, Stop, useRequest } from "./asking.js";
import { count } from "./walk.js";
import { brief } from "./names.js";
import { verdictOf } from "./checking.js";

const html = htm.bind(h);

/** The tracks of the counterexample of `assertion`, which is a number. */
export function Tracks({ app, assertion }) {
  const request = useRequest(app);
  const { outcome } = request;
  // What is asked for every value of a constant may fail in another instance than the script is.
  const instance = verdictOf(app.state, assertion)?.report?.for_all?.instance;
  const look = () => request.run((signal) => app.ask("twisted", { assertion, instance }, signal));
  return html`
    <section class="card" aria-label="Two tracks">
      <h2>What the search saw, and the real run</h2>
      <p class="soft">A search with symmetries stores one state of each orbit. Whatever it meets is <em>twisted</em> to the state that is stored.
        Undoing all twists turns its path into a run that really happens: the counterexample.</p>
      <div class="row">
        <button onClick=${look}>Show both tracks</button>
        <${Stop} request=${request} />
      </div>
      <${Progress} app=${app} request=${request} busy="searching…" severity="maybe" />
      ${outcome?.result && html`<${BothTracks} app=${app} found=${outcome.result} assertion=${assertion} />`}
    </section>`;
}

function BothTracks({ app, found, assertion }) {
  const [at, setAt] = useState(0);
  const last = found.steps.length;
  const go = (step) => setAt(Math.min(Math.max(step, 0), last));
  const key = (event) => {
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (step === undefined) return;
    go(step);
    event.preventDefault();
  };
  const pairs = [found.start, ...found.steps.map((step) => step.pair)];
  return html`
    <p><strong>${count(last, "step")}</strong>${found.wrong ? ", and the one that is not allowed" : ""}; ${brief(found.order)} symmetries, ${found.algorithm}, ${found.representative}.
      ${" "}<button class="link" onClick=${() => app.walkAssertion(assertion)}>Step through the real run</button></p>
    <${Strip} found=${found} pairs=${pairs} at=${at} go=${go} onKey=${key} />
    <div class="row moving">
      <button onClick=${() => go(at - 1)} disabled=${at === 0} aria-label="One step back">←</button>
      <input type="range" class="grow" min="0" max=${last} value=${at} aria-label="Step of both tracks"
        aria-valuetext=${at === 0 ? "at the start" : `after ${count(at, "step")}`} onInput=${(e) => go(Number(e.target.value))} />
      <button onClick=${() => go(at + 1)} disabled=${at === last} aria-label="One step on">→</button>
      <span class="soft where">${at === 0 ? "at the start" : `after step ${at} of ${last}`}</span>
    </div>
    <${PairTable} found=${found} pair=${pairs[at]} before=${pairs[at - 1]} />`;
}

const isStill = (twist) => twist === "()";

/** Both tracks as two rows of events, with the twists between the steps. */
function Strip({ found, pairs, at, go, onKey }) {
  const place = useRef(null);
  // The step that is looked at stays in sight.
  useEffect(() => {
    const here = place.current.querySelector("[aria-current]");
    if (!here) return;
    const { left, right } = here.getBoundingClientRect();
    const frame = place.current.getBoundingClientRect();
    const head = place.current.querySelector("th").offsetWidth;
    if (left < frame.left + head) place.current.scrollLeft -= frame.left + head - left + 24;
    else if (right > frame.right) place.current.scrollLeft += right - frame.right + 24;
  }, [at]);
  const look = (number) => (number === at ? "here" : "");
  const chip = (twist) => (isStill(twist) ? html`<span class="soft">no twist</span>` : html`<span class="chip twist">${twist}</span>`);
  return html`
    <div class="strip" ref=${place} tabindex="0" role="region" aria-label="Both tracks: arrow keys move through the steps" onKeyDown=${onKey}>
      <table>
        <thead><tr>
          <th scope="row">step</th>
          ${pairs.map((_, number) => html`<td class=${look(number)}><button class="step" aria-current=${number === at ? "step" : null}
            aria-label=${`Step ${number} of both tracks`} onClick=${() => go(number)}>${number}</button></td>`)}
          ${found.wrong && html`<td class="wrong">not allowed</td>`}
        </tr></thead>
        <tbody>
          <tr class="saw"><th scope="row">what the search saw</th>
            ${pairs.map((_, number) => html`<td class=${look(number)}>${number === 0 ? html`<span class="soft">start</span>` : html`<code>${found.steps[number - 1].met}</code>`}</td>`)}
            ${found.wrong && html`<td class="wrong"><code>${found.wrong.met}</code></td>`}</tr>
          <tr class="twists"><th scope="row">then twisted by</th>
            ${pairs.map((pair, number) => html`<td class=${look(number)}>${chip(pair.twist)}</td>`)}${found.wrong && html`<td class="wrong"></td>`}</tr>
          <tr class="real"><th scope="row">the real run</th>
            ${pairs.map((_, number) => html`<td class=${look(number)}>${number === 0 ? html`<span class="soft">start</span>` : html`<code>${found.steps[number - 1].real}</code>`}</td>`)}
            ${found.wrong && html`<td class="wrong"><code>${found.wrong.real}</code></td>`}</tr>
        </tbody>
      </table>
    </div>`;
}

/** What each component is on both tracks. What has changed since the step before has another ground; where the tracks differ, texts are bold. */
function PairTable({ found, pair, before }) {
  const look = (track, index) => (before && before[track].components[index] !== pair[track].components[index] ? "moved" : "");
  return html`
    <p>${isStill(pair.undo)
      ? html`Here both tracks are in the same state: the twists so far undo each other.`
      : html`Here <span class="chip twist">${pair.undo}</span> takes what is stored to the state of the real run.`}</p>
    <div class="pairs" tabindex="0" role="region" aria-label="The state of each component on both tracks">
      <table>
        <thead><tr><th scope="col">component</th><th scope="col">stored by the search</th><th scope="col">in the real run</th></tr></thead>
        <tbody>${found.components.map((name, index) => html`
          <tr class=${pair.stored.components[index] === pair.real.components[index] ? "" : "differs"}><th scope="row"><code>${name}</code></th>
            <td class=${look("stored", index)}><code>${pair.stored.components[index]}</code></td>
            <td class=${look("real", index)}><code>${pair.real.components[index]}</code></td></tr>`)}
        </tbody>
      </table>
    </div>`;
}
