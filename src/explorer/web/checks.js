// The assertions of the script, with their verdicts.
import { htm, h } from "./vendor.js";
import { count } from "./walk.js";
import { Views } from "./views.js";
import { Found } from "./counterexample.js";
import { brief } from "./names.js";

const html = htm.bind(h);

/** The view with all assertions. */
export function ChecksView({ app }) {
  const { assertions, verdicts, running } = app.state;
  if (assertions.length === 0) {
    return html`<p>This script has no assertions. Write one, such as <code>assert P :[deadlock free]</code>, or walk a process in the tab Step.</p>`;
  }
  return html`
    <div class="row" style="margin-bottom: 0.7rem">
      <button class="primary" onClick=${() => app.checkAll()} disabled=${running !== null}>Check all</button>
      ${running !== null && html`<button onClick=${() => app.stopChecks()}>Stop</button>`}
      <span class="soft" aria-live="polite">${summary(assertions, verdicts, running)}</span>
    </div>
    <ol class="assertions">
      ${assertions.map((assertion) => html`<${Assertion} app=${app} assertion=${assertion} answer=${verdicts[assertion.number]} isRunning=${running === assertion.number} />`)}
    </ol>`;
}

function summary(assertions, verdicts, running) {
  if (running !== null) return `assertion ${running} is being decided…`;
  const all = assertions.map((a) => verdicts[a.number]?.report?.verdict).filter(Boolean);
  if (all.length === 0) return `${count(assertions.length, "assertion")}, none decided yet`;
  const of = (verdict) => all.filter((v) => v === verdict).length;
  return `${of("pass")} hold, ${of("fail")} fail${all.length < assertions.length ? `, ${assertions.length - all.length} not decided yet` : ""}`;
}

const WORDS = { pass: "holds", fail: "fails", error: "error", unknown: "undecided" };

function Assertion({ app, assertion, answer, isRunning }) {
  const report = answer?.report;
  return html`
    <li class=${report?.verdict ?? ""}>
      <div class="row">
        <code class="grow">${assertion.text}</code>
        ${report && html`<span class="verdict">${WORDS[report.verdict]}</span>`}
        ${isRunning && html`<span class="busy">deciding…</span>`}
        <button onClick=${() => app.check(assertion.number)} disabled=${app.state.running !== null} aria-label=${`Check assertion ${assertion.number}`}>Check</button>
        <button onClick=${() => app.show(assertion.place)} aria-label=${`Show assertion ${assertion.number} in the script`}>Show</button>
      </div>
      ${answer?.problem && html`<p class="notice maybe">${answer.problem}</p>`}
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
      </div>`}`;
}
