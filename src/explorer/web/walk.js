// Stepping: the lanes, what can be done next, and why something cannot.
import { htm, h, useState, useEffect } from "./vendor.js";
import { Allowed } from "./allowed.js";
import { Pictures } from "./picture.js";
import { Lanes, isInternal } from "./lanes.js";
import { ProcessOffers } from "./offers.js";
import { Failure } from "./problems.js";
import { WaitGraph } from "./waits.js";
import { marksOn } from "./walking.js";

const html = htm.bind(h);

/** The view in which a process is walked. */
export function WalkView({ app }) {
  const { walk, walkProblem, isWalking } = app.state;
  const [hidesInternal, setHidesInternal] = useState(false);
  const marks = walk ? marksOn(walk, app.state.isOtherRun ? null : app.state.found) : {};
  return html`
    <${Subject} app=${app} />
    <${Instance} instance=${app.state.subject?.instance} />
    ${walkProblem && html`<div role="alert"><${Failure} app=${app} error=${walkProblem} /></div>`}
    ${!walk && isWalking && html`<p class="busy">The walk begins…</p>`}
    ${!app.state.subject && html`<${ProcessOffers} app=${app} title="Walk one of these" choose=${(process) => app.walkProcess(process)} />`}
    ${walk && html`
      <div class="row" role="toolbar" aria-label="Walk">
        <button onClick=${() => app.goTo(0)} disabled=${walk.steps.length === 0} title="To the start (Home)">Start</button>
        <button onClick=${() => app.goBy(-1)} disabled=${walk.steps.length === 0} title="One step back (←)">Back</button>
        <button onClick=${() => app.goBy(1)} disabled=${app.state.path.length <= walk.steps.length} title="One step forward again (→)">Forward</button>
        <button onClick=${() => app.randomStep()} disabled=${walk.choices.length === 0} title="A random step (r)">Random step</button>
        <label><input type="checkbox" checked=${hidesInternal} onChange=${(e) => setHidesInternal(e.target.checked)} /> hide internal steps</label>
        <span class="grow"></span>
        <span aria-live="polite" class="soft">${walk.steps.length === 0 ? "at the start" : `after ${count(walk.steps.length, "step")}`}</span>
        ${app.state.path.length > walk.steps.length && html`<span class="soft">of ${app.state.path.length.toLocaleString("en")}</span>`}
      </div>
      <div class="stepping">
        <div class="wide">
          <${Wrong} app=${app} found=${app.state.found} marks=${marks} />
          <${Pictures} pictures=${app.state.pictures} walk=${walk} definitions=${app.script.definitions} />
          <${Lanes} walk=${walk} hidesInternal=${hidesInternal} goTo=${(n) => app.goTo(n)} marks=${marks} />
        </div>
        <div>
          <${Choices} walk=${walk} next=${app.state.path[walk.steps.length]} take=${(choice) => app.take(choice.name)} />
        </div>
        <div>
          ${walk.specification && html`<${Allowed} process=${walk.specification.process} allowed=${walk.specification} />`}
          <${Rest} walk=${walk} />
          <${Why} app=${app} walk=${walk} />
        </div>
      </div>`}`;
}

/** What is wrong at the end of the counterexample that is walked, and its other run if it has one. */
function Wrong({ app, found, marks }) {
  if (!found) return null;
  const isOther = app.state.isOtherRun;
  return html`
    <div class=${`notice ${marks.isAtEnd ? "bad" : ""}`}>
      ${found.sentence}
      ${found.cycle_from !== null && html` The steps from ${found.cycle_from} to ${found.steps} are done again and again.`}
      ${!marks.isAtEnd && !isOther && html` <button class="link" onClick=${() => app.goAlong(found.path)}>Go to where it is wrong</button>`}
      ${found.other_path && html`<div class="row" role="group" aria-label="Runs">
        <button aria-pressed=${isOther ? "false" : "true"} onClick=${() => app.goAlong(found.path)}>The run that refuses</button>
        <button aria-pressed=${isOther ? "true" : "false"} onClick=${() => app.goAlong(found.other_path, true)}>The run that does it</button>
      </div>`}
    </div>`;
}

/** Which instance is walked, if it is another than the script is. */
function Instance({ instance }) {
  const all = [instance ?? []].flat();
  return all.length > 0 && html`<p class="notice">In the instance <code>${all.join(", ")}</code>: there the assertion fails.</p>`;
}

/** What is walked. */
function Subject({ app }) {
  const { assertions, processes, subject } = app.state;
  const [text, setText] = useState(subject?.process ?? "");
  useEffect(() => setText(subject?.process ?? ""), [subject]);
  const submit = (event) => {
    event.preventDefault();
    if (text.trim()) app.walkProcess(text.trim());
  };
  return html`
    <form class="row" onSubmit=${submit} style="margin-bottom: 0.6rem">
      <label for="process">Process</label>
      <input id="process" list="processes" value=${text} size="24" class="code" onInput=${(e) => setText(e.target.value)} />
      <datalist id="processes">${processes.map((name) => html`<option value=${name} />`)}</datalist>
      <button class="primary" type="submit">Walk</button>
      <label for="assertion">or</label>
      <select id="assertion" aria-label="Assertion" style="flex: 1; min-width: 9rem" value=${subject?.assertion ?? ""} onChange=${(e) => e.target.value && app.walkAssertion(Number(e.target.value))}>
        <option value="">an assertion…</option>
        ${assertions.map((a) => html`<option value=${a.number}>${a.number}: ${a.text}</option>`)}
      </select>
    </form>`;
}

/** With more choices there is a field to filter them. */
const FEW_CHOICES = 12;
/** The most choices that are shown at once. */
const MOST_CHOICES = 200;

function Choices({ walk, next, take }) {
  const [wanted, setWanted] = useState("");
  useEffect(() => setWanted(""), [walk]);
  const all = walk.choices.map((choice, index) => ({ choice, index, who: choice.parts.map((part) => describe(part, choice)).join("; ") }));
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = all.filter(({ choice, who }) => words.every((word) => choice.name.toLowerCase().includes(word) || who.toLowerCase().includes(word)));
  const first = (event) => {
    event.preventDefault();
    if (fits.length > 0 && words.length > 0) take(fits[0].choice);
  };
  return html`
    <section class="card" aria-label="What can happen next">
      <h2>What can happen next</h2>
      ${walk.choices.length === 0 && html`<p class="notice ${hasTerminated(walk) ? "" : "bad"}">${hasTerminated(walk) ? "It has terminated." : "Nothing can happen: deadlock."}</p>`}
      ${all.length > FEW_CHOICES && html`<form onSubmit=${first}>
        <label class="hidden" for="filter">Filter the choices</label>
        <input id="filter" type="search" class="filter code" value=${wanted} placeholder=${`filter ${all.length} choices; Enter takes the first`} autocomplete="off" onInput=${(e) => setWanted(e.target.value)} />
        <p class="hidden" aria-live="polite">${words.length > 0 ? `${fits.length} of ${all.length} fit` : ""}</p>
      </form>`}
      <ol class="choices" aria-label="Choices">
        ${fits.slice(0, MOST_CHOICES).map(({ choice, index, who }) => html`
          <li key=${choice.name}><button class=${choice.allowed === false ? "forbidden" : ""} onClick=${() => take(choice)}>
            <span class="key">${index < 9 ? index + 1 : ""}</span>
            <span class=${`event ${isInternal(choice.event) ? "internal" : ""}`}>${choice.name}</span>
            <span class="who">${who}${choice.name === next && html` <strong>goes on →</strong>`}</span>
          </button></li>`)}
      </ol>
      ${fits.length === 0 && all.length > 0 && html`<p class="soft">None of ${all.length} choices fits.</p>`}
      ${fits.length > MOST_CHOICES && html`<p class="soft">and ${fits.length - MOST_CHOICES} more: filter them</p>`}
      <${WaitGraph} circle=${walk.waiting_circle} components=${walk.components} />
    </section>`;
}

/** Who takes part, and what a choice of the process's own leads to. */
function describe(part, choice) {
  const then = choice.event === "τ" && part.becomes ? ` → ${part.becomes}` : "";
  const own = part.event === choice.event || choice.event === `τ (${part.event})` ? "" : ` by ${part.event}`;
  return part.component + own + then;
}

/** With what the process comes to rest. */
function Rest({ walk }) {
  const { stable, acceptances, diverges } = walk;
  if (stable) return html`<p class="soft">It is at rest: it refuses everything that is not offered.</p>`;
  return html`
    <div class="soft">It can do internal steps${diverges ? html`, <strong class="severity-error">for ever</strong>` : ""}.
      ${acceptances === null && " With what it comes to rest takes too long to find."}
      ${acceptances?.length > 0 && html` At rest it offers all of at least one of these, perhaps more, and may refuse everything else: ${acceptances.slice(0, 12).map((set) => html`<span class="chip">{${set.join(", ")}}</span> `)}${acceptances.length > 12 && `and ${acceptances.length - 12} more`}`}
    </div>`;
}

/** Why an event cannot happen. */
function Why({ app, walk }) {
  const [event, setEvent] = useState("");
  const [answer, setAnswer] = useState(null);
  useEffect(() => setAnswer(null), [walk]);
  const known = [...new Set(walk.components.flatMap((c) => c.offers).filter((e) => !isInternal(e)))].sort();
  const submit = async (submitted) => {
    submitted.preventDefault();
    if (!event.trim()) return;
    try {
      setAnswer({ report: await app.why(event.trim()) });
    } catch (error) {
      setAnswer({ problem: error });
    }
  };
  return html`
    <section class="card" aria-label="Why not?">
      <h2>Why not?</h2>
      <form class="row" onSubmit=${submit}>
        <label class="hidden" for="why">Event</label>
        <input id="why" list="events" value=${event} placeholder="an event" class="code grow" onInput=${(e) => setEvent(e.target.value)} />
        <datalist id="events">${known.slice(0, 300).map((name) => html`<option value=${name} />`)}</datalist>
        <button type="submit">Ask</button>
      </form>
      <div aria-live="polite">
        ${answer?.problem && html`<${Failure} app=${app} error=${answer.problem} severity="maybe" />`}
        ${answer?.report && html`<${WhyAnswer} report=${answer.report} />`}
      </div>
    </section>`;
}

const WHY = {
  offered: "can happen now.",
  hidden: "can happen now, and is hidden: who looks from outside sees τ.",
  kept_back: "cannot happen now: all who take part offer it, but a priority keeps it back.",
  blocked: "cannot happen now.",
  shut_in: "cannot happen: an alphabet, a link or a renaming lets no such event out.",
  never: "cannot happen: no component that runs can ever do it.",
};

function WhyAnswer({ report }) {
  const verdict = WHY[report.verdict];
  return html`
    <p><span class="code">${report.event}</span> ${verdict}</p>
    ${report.shut_in.length > 0 && html`<p>It is offered by ${report.shut_in.map((name) => html`<span class="chip">${name}</span> `)}</p>`}
    ${report.ways.map((way, index) => html`
      ${report.ways.length > 1 && html`<h3>Way ${index + 1}</h3>`}
      <ul>${way.parties.map((party) => html`
        <li><span class=${`chip ${{ offered: "ready", later: "later", never: "never" }[party.ability]}`}>${party.component}</span>
          ${{ offered: " offers it", later: " does not offer it now", never: " can never do it again" }[party.ability]}${party.event !== report.event ? ` as ${party.event}` : ""}${party.ability !== "offered" ? `: it offers ${party.offers.join(", ") || "nothing"}` : ""}</li>`)}
      </ul>`)}
    ${report.more && html`<p class="soft">and more ways</p>`}`;
}

const hasTerminated = (walk) => walk.trace.at(-1) === "✓";

/** `1 step`, `2 steps`. */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
