// Steps through the counterexamples of a report that is one file.
"use strict";

const reports = JSON.parse(document.getElementById("reports").textContent);

for (const view of document.querySelectorAll(".counterexample")) stepThrough(view);

/** Lets the lanes of one run be walked by buttons and keys. */
function stepThrough(view) {
  const report = reports[view.dataset.assertion];
  const found = (report.counterexamples ?? [report.counterexample])[view.dataset.number];
  const isOther = view.dataset.run === "other";
  const components = isOther ? found.other_components : found.components;
  const toolbar = view.querySelector("[role=toolbar]");
  const lanes = view.querySelector(".lanes");
  const steps = isOther ? found.other_trace_with_taus : [...found.trace_with_taus, ...(found.kind === "trace" && found.event !== null ? [found.event] : []), ...(found.cycle ?? [])];
  const last = steps.length;
  // By step, what stands above its column, and the column.
  const columns = steps.map(() => []).concat([[]]);
  for (const part of view.querySelectorAll("[data-step]")) columns[part.dataset.step].push(part);
  const rows = [...view.querySelectorAll("tr[data-row]")];
  let at = last;

  const go = (step) => {
    for (const part of columns[at]) {
      part.classList.remove("latest");
      part.removeAttribute("aria-current");
    }
    at = Math.max(0, Math.min(last, step));
    for (const part of columns[at]) part.classList.add("latest");
    columns[at][0].setAttribute("aria-current", "step");
    for (const row of rows) {
      const state = latest(components[row.dataset.row].states, at)?.state ?? null;
      row.classList.toggle("gone", state === null);
      tell(row, state ?? (isStarted(components[row.dataset.row], at) ? "no longer runs" : ""));
    }
    const specification = view.querySelector("tr[data-specification]");
    if (specification) tell(specification, allowed(latest(found.specification.states, at)));
    toolbar.querySelector("output").textContent = at === 0 ? "at the start" : columns[at][0].querySelector("title").textContent.replace(/^step \d+/, `step ${at} of ${last}`);
    toolbar.querySelector("[data-go=first]").disabled = toolbar.querySelector("[data-go=back]").disabled = at === 0;
    toolbar.querySelector("[data-go=forward]").disabled = toolbar.querySelector("[data-go=last]").disabled = at === last;
    reveal(columns[at][0]);
  };
  /** Brings a column between the names and what is told of the present. */
  const reveal = (head) => {
    const { left, right } = head.getBoundingClientRect();
    const from = view.querySelector("thead th").getBoundingClientRect().right;
    const to = view.querySelector("thead .now").getBoundingClientRect().left;
    if (right > to) lanes.scrollLeft += right - to;
    else if (left < from) lanes.scrollLeft -= from - left;
  };
  const moves = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => last };
  for (const [name, where] of Object.entries(moves)) {
    toolbar.querySelector(`[data-go=${name}]`).addEventListener("click", () => go(where()));
  }
  lanes.addEventListener("click", (event) => {
    const part = event.target.closest("[data-step]");
    if (part) go(Number(part.dataset.step));
  });
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  view.addEventListener("keydown", (event) => {
    const move = moves[keys[event.key]];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(move());
  });
  toolbar.hidden = false;
  go(last);
}

/** Writes what a row is now. */
function tell(row, text) {
  const now = row.querySelector(".now");
  now.textContent = now.title = text;
}

/** The last of `states` that is not after this step. */
function latest(states, step) {
  return states.filter((state) => state.step <= step).at(-1);
}

/** Whether a component has started by this step. */
function isStarted(component, step) {
  return component.states.length > 0 && component.states[0].step <= step;
}

/** What a specification allows, in a few words. */
function allowed(state) {
  if (!state) return "";
  return state.allows === "events" ? `{${state.events.join(", ")}}` : state.allows;
}
