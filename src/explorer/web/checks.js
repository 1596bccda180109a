// The assertions of the script, with their verdicts.
import { htm, h } from "./vendor.js";
import { count } from "./walk.js";
import { Views } from "./views.js";
import { Found } from "./counterexample.js";
import { Outdated } from "./asking.js";
import { verdictOf } from "./checking.js";
import { brief } from "./names.js";
import { SettingsForm } from "./settings.js";
import { gameAbout, isPlayable } from "./game.js";

const html = htm.bind(h);

/** The view with all assertions. */
export function ChecksView({ app }) {
  const { assertions, verdicts, checking } = app.state;
  if (assertions.length === 0) {
    return html`<p>This script has no assertions. Write one, such as <code>assert P :[deadlock free]</code>, or walk a process in the tab Step.</p>`;
  }
  return html`
    <div class="row" style="margin-bottom: 0.7rem">
      <button class="primary" onClick=${() => app.checking.check()} disabled=${checking !== null}>Check all</button>
      ${checking !== null && html`<button onClick=${() => app.checking.stop()}>${checking.isStopping ? "Give up at once" : "Stop"}</button>`}
      <span class="soft" aria-live="polite">${summary(app.state)}</span>
    </div>
    <${SettingsForm} app=${app} />
    <ol class="assertions">
      ${assertions.map((assertion) => html`<${Assertion} app=${app} assertion=${assertion} answer=${verdicts[assertion.number]} checking=${checking?.number === assertion.number ? checking : null} />`)}
    </ol>`;
}

function summary({ assertions, checking, ...state }) {
  if (checking !== null) return checking.isStopping ? "what is known by now is collected…" : (checking.number === null ? "deciding…" : `assertion ${checking.number} is being decided…`);
  const all = assertions.map((a) => verdictOf(state, a.number)?.report?.verdict).filter(Boolean);
  if (all.length === 0) return `${count(assertions.length, "assertion")}, none decided yet`;
  const of = (verdict) => all.filter((v) => v === verdict).length;
  const more = [[of("error"), "with a mistake"], [of("unknown"), "undecided"], [assertions.length - all.length, "not decided yet"]];
  return [`${of("pass")} hold, ${of("fail")} fail`, ...more.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)].join(", ");
}

/** Opens the settings, and goes there. */
function showSettings(app) {
  app.setState({ showsSettings: true }, () => document.querySelector("#settings summary").focus());
}

const WORDS = { pass: "holds", fail: "fails", error: "error", unknown: "undecided" };

/** How far a check is: what is done, by which strategy, how fast, how large and for how long. */
function HowFar({ progress: { doing, strategy, waiting, per_second: rate, memory_bytes: memory, seconds } }) {
  const parts = [
    doing, strategy && `strategy ${strategy}`, waiting > 0 && `${waiting.toLocaleString("en")} waiting`, rate && `${rate.toLocaleString("en")} states/s`,
    memory && `${Math.ceil(memory / 2 ** 20).toLocaleString("en")} MiB`, `${seconds.toFixed(1)} s`,
  ];
  return html`<p class="soft progress">${parts.filter(Boolean).join(", ")}</p>`;
}

function Assertion({ app, assertion, answer, checking }) {
  const report = answer?.report;
  return html`
    <li class=${report?.verdict ?? ""}>
      <div class="row">
        <code class="grow">${assertion.text}</code>
        ${report && html`<span class="verdict">${WORDS[report.verdict]}</span>`}
        ${checking && html`<span class="busy">deciding…</span>`}
        <button onClick=${() => app.checking.check([assertion.number])} disabled=${app.state.checking !== null} aria-label=${`Check assertion ${assertion.number}`}>Check</button>
        <button onClick=${() => app.show(assertion.place)} aria-label=${`Show assertion ${assertion.number} in the script`}>Show</button>
      </div>
      ${answer && html`<${Outdated} app=${app} version=${answer.version} />`}
      ${checking?.progress && html`<${HowFar} progress=${checking.progress} />`}
      ${answer?.problem && html`<p class="notice maybe">${answer.problem}</p>`}
      ${answer && "stopped" in answer && html`<p class="notice maybe">It was stopped before it was decided.</p>${answer.stopped && html`<${HowFar} progress=${answer.stopped} />`}`}
      ${report && html`<${Verdict} app=${app} assertion=${assertion} report=${report} />`}
    </li>`;
}

function Verdict({ app, assertion, report }) {
  const found = report.counterexample;
  const numbers = [
    report.states !== null && count(report.states, "state"),
    report.symmetry && `symmetries: ${brief(report.symmetry.order)}`,
    report.seconds && `${report.seconds.total.toFixed(2)} s`,
  ].filter(Boolean);
  return html`
    <p class="soft">${numbers.join(", ")}</p>
    ${report.message && report.verdict !== "pass" && html`<p>${report.message}</p>`}
    ${report.verdict === "unknown" && html`<p><button class="link" onClick=${() => showSettings(app)}>Limits and options</button></p>`}
    ${(report.warnings ?? []).map((warning) => html`<p class="notice maybe"><strong>warning: ${warning.code}</strong> ${warning.message}
      ${warning.places[0] && html` <button class="link" onClick=${() => app.show(warning.places[0])}>line ${warning.places[0].line}</button>`}
      ${warning.notes.map((note) => html`<span class="soft"> ${note}.</span>`)}
      ${warning.hint && html`<span class="soft"> help: ${warning.hint}</span>`}</p>`)}
    ${report.remarks.map((remark) => html`<p class="soft">${remark}</p>`)}
    ${report.for_all && ["pass", "fail"].includes(report.verdict) && html`<p>${report.for_all.sentence}</p>`}
    ${Number.isInteger(report.for_all?.views) && html`<${Views} app=${app} assertion=${assertion.number} />`}
    ${found && html`
      <${Found} found=${found} />
      <div class="row">
        <button onClick=${() => app.walkAssertion(assertion.number)}>Step through it</button>
        ${assertion.process && !report.for_all && html`<button onClick=${() => app.showInGraph(assertion.number)}>Show in the graph</button>`}
        ${isPlayable(assertion.text, report.model) && !report.for_all && html`<button onClick=${() => app.setState(gameAbout(app.state, assertion.number, report.model))}>Play</button>`}
      </div>`}`;
}
