// What a specification allows after a trace.
import { htm, h } from "./vendor.js";

const html = htm.bind(h);

/** The most events that are listed at once. */
const MOST_EVENTS = 24;

/** What the specification `process` allows next, and with what it comes to rest. */
export function Allowed({ process, allowed: { allows, after, events, acceptances } }) {
  if (allows === "nothing") {
    return html`<p class="notice bad"><span class="code">${process}</span> does not allow event ${after + 1} of this trace.</p>`;
  }
  if (allows === "everything") {
    return html`<p class="notice maybe"><span class="code">${process}</span> has diverged after ${after} ${after === 1 ? "event" : "events"}, and allows everything.</p>`;
  }
  return html`
    <div class="notice"><strong>The specification <span class="code">${process}</span> allows</strong>
      <${Events} events=${events} />
      ${acceptances.length > 0 && html`<p>At rest, all of one of these have to be offered: ${acceptances.map((set) => html`<span class="chip">{${set.join(", ")}}</span> `)}</p>`}
    </div>`;
}

function Events({ events }) {
  const rest = events.length - MOST_EVENTS;
  return html`<ul class="offers">${events.length === 0 && html`<li>nothing</li>`}${events.slice(0, MOST_EVENTS).map((event) => html`<li>${event}</li>`)}${rest > 0 && html`<li>and ${rest} more</li>`}</ul>`;
}
