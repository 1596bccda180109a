// Runs in a graph: the transitions along a counterexample, or along the events of another run.

/**
 * The transitions of `graph` along the counterexample `found`, with what comes after it: the event that is not allowed,
 * or the steps that are done for ever. `isWhole` is false if the run leaves what is there, or was not found.
 */
export function trailOf(graph, found) {
  const after = outgoing(graph);
  const isEnd = (state) => !found.offers || sameEvents(found.offers, after[state].map((step) => step.label));
  const exact = run(after, 0, found.trace_with_taus, { isEnd });
  const weak = () => run(after, 0, found.trace, { isEnd, skipsTau: true });
  // Compressing has changed internal steps, but no trace.
  const way = exact.isWhole ? exact : weak();
  const end = way.steps.at(-1)?.to ?? 0;
  const then = !way.isWhole ? null : found.cycle ? run(after, end, found.cycle, {}) : found.event && run(after, end, [found.event], { skipsTau: true });
  return { steps: [...way.steps, ...(then?.steps ?? [])], isWhole: way.isWhole };
}

/** The events of a shortest way to `state` in `graph`, internal steps among them. */
export function wayTo(graph, state) {
  const after = outgoing(graph);
  const before = new Map([[0, null]]);
  const open = [0];
  for (const at of open) {
    for (const step of after[at]) {
      if (before.has(step.to)) continue;
      before.set(step.to, step);
      open.push(step.to);
    }
  }
  const steps = [];
  for (let at = state; before.get(at); at = before.get(at).from) steps.push(before.get(at));
  return steps.reverse().map(textOf);
}

/** The state to which these events lead in `graph`; one with this term, if there is one. `null` if there is none. */
export function stateAfter(graph, events, term) {
  const isEnd = (state) => term === undefined || graph.states[state].term === term;
  const after = outgoing(graph);
  const exact = run(after, 0, events, { isEnd });
  const way = exact.isWhole ? exact : run(after, 0, events.filter((event) => !event.startsWith("τ")), { isEnd, skipsTau: true });
  return way.isWhole ? (way.steps.at(-1)?.to ?? 0) : null;
}

/** A transition as text. */
export const textOf = (step) => (step.hidden.length > 0 ? `${step.label} (${step.hidden.join(", ")})` : step.label);

function outgoing(graph) {
  const after = graph.states.map(() => []);
  for (const step of graph.transitions) after[step.from].push(step);
  return after;
}

/**
 * A shortest run from `start` along the events, or as far as there is one. `skipsTau`: between them may be any internal
 * steps. Of the runs with all events it is one to a state that `isEnd`, if there is one.
 */
function run(after, start, events, { isEnd = () => true, skipsTau = false }) {
  const key = (state, done) => done * after.length + state;
  const before = new Map([[key(start, 0), null]]);
  const open = [[start, 0]];
  let [farthest, whole] = [open[0], null];
  for (const [state, done] of open) {
    if (done > farthest[1]) farthest = [state, done];
    if (done === events.length) {
      whole ??= [state, done];
      if (isEnd(state)) {
        whole = [state, done];
        break;
      }
    }
    for (const step of after[state]) {
      const next = done < events.length && matches(step, events[done]) ? done + 1 : skipsTau && step.label === "τ" ? done : null;
      if (next === null || before.has(key(step.to, next))) continue;
      before.set(key(step.to, next), { step, from: [state, done] });
      open.push([step.to, next]);
    }
  }
  const steps = [];
  for (let at = before.get(key(...(whole ?? farthest))); at; at = before.get(key(...at.from))) steps.push(at.step);
  return { steps: steps.reverse(), isWhole: whole !== null };
}

function matches(step, event) {
  if (!event.startsWith("τ")) return step.label === event;
  return step.label === "τ" && (event === "τ" || step.hidden.length === 0 || event.slice(3, -1).split(", ").some((hidden) => step.hidden.includes(hidden)));
}

function sameEvents(a, b) {
  const visible = (events) => [...new Set(events)].filter((event) => event !== "τ").sort().join("\n");
  return visible(a) === visible(b) && !b.includes("τ");
}
