// A counterexample in words and steps: all that the terminal says of it.
import { htm, h, useState } from "./vendor.js";
import { isInternal } from "./rows.js";
import { Allowed } from "./allowed.js";
import { WaitGraph } from "./waits.js";

const html = htm.bind(h);

/** A longer run is folded in its middle. */
const MOST_STEPS = 40;
const AT_ENDS = 15;
/** So many stand below each other; more stand in columns. */
const FEW_STEPS = 8;

/** What is wrong in the counterexample `found`: a sentence, its steps, and what each side would have wanted. */
export function Found({ found }) {
  const cycle = found.cycle ?? [];
  const first = found.trace_with_taus.length;
  const steps = found.trace_with_taus.map((event, index) => ({ event, number: index + 1, remark: restBefore(found, index + 1) }));
  if (found.kind === "trace" && found.event !== null) steps.push({ event: found.event, number: first + 1, remark: "not allowed here" });
  return html`
    <p><strong>${found.sentence}</strong></p>
    <${Run} steps=${steps} name="The run" />
    ${found.kind === "divergence" && html`<p>and then again and again:</p>
      ${found.cycle ? html`<${Run} steps=${cycle.map((event, index) => ({ event, number: first + 1 + index, isAgain: true }))} name="The steps that are done for ever" />` : html`<p><span class="code">τ</span> for ever</p>`}`}
    ${found.kind === "nondeterminism" && html`<${Other} found=${found} />`}
    ${found.last_step_by && found.event && html`<p><code>${found.event}</code> is done by ${found.last_step_by.join(" and ")}.</p>`}
    ${found.terminated && html`<p>To allow it to terminate, ask about <code>P ; RUN({e})</code> instead of <code>P</code>, with an event <code>e</code> that <code>P</code> never does.</p>`}
    <${Offers} found=${found} />
    ${found.specification && html`<${Allowed} process=${found.specification.process} allowed=${found.specification.at_end} />`}
    <${WaitGraph} circle=${found.waiting_circle} components=${found.components ?? []} />`;
}

const restBefore = (found, number) => {
  const rest = (found.rests ?? []).find(({ before }) => before === number);
  return rest ? `from rest, offering only {${rest.offers.join(", ")}}` : null;
};

/** The other run of nondeterminism, which does what the first refuses. */
function Other({ found }) {
  const other = found.other_trace_with_taus ?? [];
  const steps = other.map((event, index) => ({ event, number: index + 1, remark: index === other.length - 1 ? "done here, and refused by the run above" : null }));
  return html`<p>where <code>${found.event}</code> is refused, but also</p><${Run} steps=${steps} name="The other run" />`;
}

/** What is offered where the process has come to rest, and what should have been. */
function Offers({ found }) {
  if (!found.offers || found.kind === "deadlock") return null;
  return html`<p>At rest it offers ${setOf(found.offers)} and refuses all else${found.acceptances?.length > 0
    ? html`; the specification wants all of ${found.acceptances.length > 1 ? "one of " : ""}${found.acceptances.map((set, index) => html`${index > 0 && " "}${setOf(set)}`)}` : ""}.</p>`;
}

const setOf = (events) => html`<span class="chip">{${events.join(", ")}}</span>`;

/** The steps of a run with their numbers, internal ones among them. */
function Run({ steps, name }) {
  const [isWhole, setIsWhole] = useState(steps.length <= MOST_STEPS);
  if (steps.length === 0) return null;
  const line = ({ event, number, remark, isAgain }) => html`
    <li class=${isAgain ? "again" : ""}><span class="number">${number}</span><span class="event"><span class=${isInternal(event) ? "internal" : ""}>${event.replace("τ (", "τ\u00a0(")}</span>${remark && html` <span class="remark">← ${remark}</span>`}</span></li>`;
  const left = steps.length - 2 * AT_ENDS;
  return html`
    <ol class=${steps.length > FEW_STEPS ? "run" : "run few"} aria-label=${name}>
      ${isWhole ? steps.map(line) : html`${steps.slice(0, AT_ENDS).map(line)}
        <li><button class="link more" onClick=${() => setIsWhole(true)}>… show ${left} more steps …</button></li>
        ${steps.slice(-AT_ENDS).map(line)}`}
    </ol>`;
}
