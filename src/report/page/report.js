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
  const heads = [...view.querySelectorAll("thead th[data-step]")];
  const first = heads.length > 0 ? Number(heads[0].dataset.step) : 0;
  const last = Number(toolbar.dataset.last);
  let at = last;

  const go = (step) => {
    at = Math.max(first, Math.min(last, step));
    for (const cell of view.querySelectorAll("[data-step]")) cell.classList.toggle("latest", Number(cell.dataset.step) === at);
    for (const head of heads) {
      if (Number(head.dataset.step) === at) head.setAttribute("aria-current", "step");
      else head.removeAttribute("aria-current");
    }
    for (const row of view.querySelectorAll("tr[data-row]")) {
      const state = latest(components[row.dataset.row].states, at)?.state ?? null;
      row.classList.toggle("gone", state === null);
      row.querySelector(".now").textContent = state ?? (isStarted(components[row.dataset.row], at) ? "no longer runs" : "");
    }
    const specification = view.querySelector("tr[data-specification]");
    if (specification) specification.querySelector(".now").textContent = allowed(latest(found.specification.states, at));
    toolbar.querySelector("output").textContent = says();
    toolbar.querySelector("[data-go=first]").disabled = toolbar.querySelector("[data-go=back]").disabled = at === first;
    toolbar.querySelector("[data-go=forward]").disabled = toolbar.querySelector("[data-go=last]").disabled = at === last;
    const here = heads.find((head) => Number(head.dataset.step) === at);
    if (here) {
      const room = lanes.getBoundingClientRect();
      const place = here.getBoundingClientRect();
      if (place.right > room.right) lanes.scrollLeft += place.right - room.right;
      const names = view.querySelector("thead th").getBoundingClientRect();
      if (place.left < names.right) lanes.scrollLeft -= names.right - place.left;
    }
  };
  const says = () => {
    if (at === 0) return "at the start";
    const event = heads.find((head) => Number(head.dataset.step) === at).textContent;
    return `step ${at} of ${last}: ${event}`;
  };
  const moves = { first: () => first, back: () => at - 1, forward: () => at + 1, last: () => last };
  for (const [name, where] of Object.entries(moves)) {
    toolbar.querySelector(`[data-go=${name}]`).addEventListener("click", () => go(where()));
  }
  for (const head of heads) head.querySelector("button").addEventListener("click", () => go(Number(head.dataset.step)));
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
