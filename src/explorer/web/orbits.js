// The orbit of the state where the walk is: its images under the symmetries of a check, as cards.
import { htm, h, useState, useEffect, useRef } from "./vendor.js";
import { count } from "./walk.js";
import { brief } from "./names.js";
import { Failure } from "./problems.js";

const html = htm.bind(h);

/** More cards than this are not shown at once. */
const MOST_CARDS = 60;

/** The cards for where the walk of `app` is. */
export function OrbitCards({ app }) {
  const { subject, walk } = app.state;
  const [fixes, setFixes] = useState(false);
  const [outcome, setOutcome] = useState(null);
  // What a permutation did, and the walk beside which that is told.
  const [applied, setApplied] = useState(null);
  const work = useRef(null);
  const path = walk?.steps.map((step) => step.name);
  const ask = async (apply) => {
    work.current?.abort();
    const own = (work.current = new AbortController());
    setOutcome((before) => ({ ...before, isBusy: true, problem: null }));
    try {
      const request = { ...subject, path, fix_initial: fixes, ...(apply ? { apply } : {}) };
      const found = await app.ask("orbit", request, own.signal);
      if (work.current !== own) return;
      setOutcome({ found });
      if (!found.applied) return;
      // A run that was moved to another run of the same process is walked from now on.
      const to = found.applied.moves_start ? path : found.applied.steps.map((step) => step.image);
      setApplied({ at: JSON.stringify(to), report: found.applied });
      if (JSON.stringify(to) !== JSON.stringify(path)) await app.go(subject, to);
    } catch (error) {
      if (work.current === own) setOutcome((before) => (own.signal.aborted ? null : { found: before?.found, problem: error }));
    }
  };
  const place = JSON.stringify([subject, path, fixes, app.state.version]);
  useEffect(() => {
    if (walk) ask();
    return () => work.current?.abort();
  }, [place]);
  if (!subject || !walk) {
    return html`
      <section class="card spaced" aria-label="Orbit"><h2>The orbit of a state</h2>
        <p>Begin a walk in the view <button class="link" onClick=${() => app.setState({ tab: "walk" })}>Step</button>: here you see then what symmetries do to where it is.</p>
      </section>`;
  }
  return html`
    <section class="card spaced" aria-label="Orbit">
      <h2>The orbit of where the walk is</h2>
      <div class="row">
        <span><code>${subject.process ?? `assertion ${subject.assertion}`}</code>, ${walk.steps.length === 0 ? "at the start" : `after ${count(walk.steps.length, "step")}`}</span>
        <label><input type="checkbox" checked=${fixes} onChange=${(e) => setFixes(e.target.checked)} /> only symmetries that fix the start</label>
      </div>
      <div aria-live="polite">
        ${outcome?.isBusy && html`<p class="busy">looking at the orbit…</p>`}
        ${outcome?.problem && html`<${Failure} app=${app} error=${outcome.problem} />`}
      </div>
      ${outcome?.found && html`<${Found} found=${outcome.found} applied=${applied?.at === JSON.stringify(path) ? applied.report : null} apply=${ask} />`}
    </section>`;
}

function Found({ found, applied, apply }) {
  const { images, components, representative } = found;
  const [present, ...others] = images;
  const isRepresentative = (image) => representative !== null && sameState(image, representative.image);
  const isListed = representative === null || images.some(isRepresentative);
  return html`
    <${Counts} found=${found} />
    <${Present} image=${present} components=${components} isRepresentative=${isRepresentative(present)} />
    <${Apply} apply=${apply} />
    <${Applied} applied=${applied} components=${components} />
    ${others.length > 0 && html`
      <h3>Its images</h3>
      <ul class="images">${others.slice(0, MOST_CARDS).map((image) => html`
        <${Card} image=${image} present=${present} components=${components} isRepresentative=${isRepresentative(image)} apply=${apply} />`)}
        ${!isListed && html`<${Card} image=${representative.image} present=${present} components=${components} isRepresentative=${true} apply=${apply} />`}
      </ul>`}
    ${(found.size ?? Infinity) > Math.min(images.length, MOST_CARDS + 1) && html`<p class="soft">and more</p>`}`;
}

/** How many symmetries and images there are, and that they fit. */
function Counts({ found }) {
  const { order, structure, size, stabiliser, representative } = found;
  if (order === "1") return html`<p class="notice maybe">The check of <code>${found.check}</code> has no symmetry but the one that moves nothing: every state is alone in its orbit.</p>`;
  return html`
    <p>The check of <code>${found.check}</code> has <strong>${brief(order)} symmetries</strong>: ${structure}.
      ${size === null
        ? " There are too many images to count."
        : html` <strong>${brief(order)} = ${count(size, "image")} × ${brief(stabiliser.order)}</strong> that ${stabiliser.order === "1" ? "leaves" : "leave"} the state as it is${stabiliser.generators.length > 0 ? html`, made from ${stabiliser.generators.map((name, index) => html`${index > 0 && ", "}<code>${name}</code>`)}` : ""}.`}
      ${representative === null && " A search stores nothing here: the specification has forbidden what was done, or allows everything."}
    </p>`;
}

function Present({ image, components, isRepresentative }) {
  return html`
    <div class=${`image present ${isRepresentative ? "represents" : ""}`} role="group" aria-label="The state of the walk">
      <h3>The state of the walk ${isRepresentative && html`<${Badge} />`}</h3>
      <dl class="states">${components.map((name, index) => html`<dt>${name}</dt><dd>${image.states[index]}</dd>`)}</dl>
      <${Allows} allows=${image.allows} />
    </div>`;
}

function Card({ image, present, components, isRepresentative, apply }) {
  const moved = components.map((name, index) => [name, image.states[index], present.states[index]]).filter(([, now, before]) => now !== before);
  return html`
    <li class=${`image ${isRepresentative ? "represents" : ""}`}>
      <h4><code>${image.permutation}</code> ${isRepresentative && html`<${Badge} />`}</h4>
      ${image.moves_start && html`<p class="soft">moves the start</p>`}
      <dl class="states">${moved.map(([name, now]) => html`<dt>${name}</dt><dd>${now}</dd>`)}</dl>
      ${moved.length === 0 && html`<p class="soft">the components stay as they are</p>`}
      ${JSON.stringify(image.allows) !== JSON.stringify(present.allows) && html`<${Allows} allows=${image.allows} />`}
      ${image.plain && html`<button onClick=${() => apply(image.permutation)} aria-label=${`Apply ${image.permutation}`}>Apply</button>`}
    </li>`;
}

const Badge = () => html`<span class="badge">representative</span>`;

function Allows({ allows }) {
  if (!allows) return null;
  return html`<p class="soft">the specification allows ${allows.slice(0, 8).join(", ") || "nothing"}${allows.length > 8 ? `, and ${allows.length - 8} more` : ""}</p>`;
}

/** A permutation of one's own. */
function Apply({ apply }) {
  const [text, setText] = useState("");
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) apply(text.trim());
  };
  return html`
    <form class="row" onSubmit=${submit}>
      <label for="permutation">Move the walk by</label>
      <input id="permutation" class="code" size="14" value=${text} placeholder="(B C)" onInput=${(e) => setText(e.target.value)} />
      <button type="submit">Apply</button>
    </form>`;
}

/** What a permutation did to the walk. */
function Applied({ applied, components }) {
  if (!applied) return null;
  const { permutation, moves_start, moves_state, steps, image } = applied;
  return html`
    <div class="notice ${moves_start ? "maybe" : "good"}" role="status">
      <p><code>${permutation}</code> ${moves_start
        ? "moves the start: the moved run is one of the moved process, not of the process itself."
        : "fixes the start: the moved run is a run too, and is walked from now on."}
        ${!moves_state && " The state stays as it is."}</p>
      ${steps.length > 0 && html`
        <details open=${steps.length <= 8}><summary>${count(steps.length, "step")}, moved</summary>
          <ol class="moved">${steps.map(({ step, image: to }) => html`<li><code>${step}</code> becomes <code>${to}</code></li>`)}</ol>
        </details>`}
      ${moves_start && html`<dl class="states">${components.map((name, index) => html`<dt>${name}</dt><dd>${image.states[index]}</dd>`)}</dl>`}
    </div>`;
}

/** Whether two images are one state, by whatever permutation. */
const sameState = (a, b) => JSON.stringify([a.states, a.allows]) === JSON.stringify([b.states, b.allows]);
