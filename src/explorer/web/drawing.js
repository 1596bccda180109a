// Drawings that the program has laid out, in the colours of the page, which can be moved and enlarged.
import { htm, h, useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { DrawnGraph, parsed } from "./drawn.js";
import { Viewport } from "./viewport.js";

const html = htm.bind(h);

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The drawing `svg`, a text, with a name for those who cannot see it. `marks` are put on it. Of a graph, `told(node)`
 * says what a node is, `choose(node)` does what it is clicked for, and `goes` says what that is. The state `focus` is
 * brought into sight, and gets the keys if `takesFocus`.
 */
export function Drawing({ svg, name, marks, told, choose, goes, focus, takesFocus }) {
  const [place, shown] = [useRef(null), useRef(null)];
  const [saying, say] = useState("");
  // Before anybody can point at the drawing: a pointer may be there already.
  useLayoutEffect(() => {
    const element = parsed(svg);
    element.setAttribute("role", choose ? "group" : "img");
    element.setAttribute("aria-label", name);
    place.current.replaceChildren(element);
    const graph = new DrawnGraph(element);
    const view = new Viewport(place.current, element);
    shown.current = { element, graph, view };
    if (choose) prepared(graph, told);
    say("");
    return () => view.stop();
  }, [svg, name]);
  useEffect(() => shown.current.graph.mark(marks ?? {}), [svg, marks]);
  useEffect(() => {
    const node = shown.current.graph.ofState.get(focus?.state);
    if (!node) return;
    shown.current.view.reveal(node.x, node.y);
    if (takesFocus) node.element.focus({ preventScroll: true });
  }, [svg, focus]);
  const nodeOf = (target) => {
    const element = target.closest?.("[data-node]");
    return element ? shown.current.graph.nodes[Number(element.dataset.node)] : null;
  };
  const look = (node) => {
    const { element } = shown.current;
    for (const line of element.querySelectorAll(".over")) line.classList.remove("over");
    for (const line of node?.lines ?? []) line.classList.add("over");
    if (node && told) say(told(node));
  };
  const focused = (event) => {
    const node = nodeOf(event.target);
    if (!node || !choose) return;
    for (const other of shown.current.graph.svg.querySelectorAll("[data-node][tabindex='0']")) other.setAttribute("tabindex", "-1");
    node.element.setAttribute("tabindex", "0");
    look(node);
  };
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { graph, view } = shown.current;
    const node = choose && nodeOf(event.target);
    if (node && (event.key === "Enter" || event.key === " ")) choose(node);
    else if (node && event.key === "Escape") place.current.focus();
    else if (node && DIRECTIONS[event.key]) {
      const next = graph.beside(node, DIRECTIONS[event.key]);
      if (next) {
        next.element.focus({ preventScroll: true });
        view.reveal(next.x, next.y);
      }
    } else if (!view.key(event.key)) return;
    event.preventDefault();
  };
  const start = () => {
    const { graph, view } = shown.current;
    view.scale = Math.max(view.scale, 1);
    view.isFit = false;
    const node = graph.ofState.get(0);
    view.centre(node ? node.x : view.whole.width / 2, node ? node.y : 0);
  };
  const button = (label, text, does) => html`<button type="button" aria-label=${label} title=${label} onClick=${does}>${text}</button>`;
  return html`
    <div class="row drawing-tools" role="toolbar" aria-label="View of the drawing">
      ${button("Enlarge (+)", "+", () => shown.current.view.key("+"))}
      ${button("Make smaller (-)", "−", () => shown.current.view.key("-"))}
      ${button("Fit to the window (0)", "Fit", () => shown.current.view.fit())}
      ${button("Go to the start", "Start", start)}
      <span class="soft">${goes ? `${goes} ` : ""}Wheel, pinch and + − zoom, 0 fits; drag or arrows move${choose ? "; on a state, arrows go to the next one." : "."}</span>
    </div>
    <div class="drawing stage" ref=${place} tabindex="0" role="group" aria-label=${`${name}: a drawing; + and − zoom, 0 fits, arrows move`}
      onKeyDown=${key} onFocusIn=${focused} onPointerOver=${(event) => look(nodeOf(event.target))}
      onClick=${(event) => choose && nodeOf(event.target) && choose(nodeOf(event.target))}></div>
    ${told && html`<p class="told" aria-live="polite">${saying || html`<span class="soft">Point at a state, or go to it by keys, to see what it is.</span>`}</p>`}`;
}

/** Makes nodes what keys can go to: by Tab to one of them, and by arrows from there to the others. */
function prepared(graph, told) {
  for (const node of graph.nodes) {
    const { element } = node;
    const [seen, text] = [[...element.querySelectorAll("text")].map((line) => line.textContent).join(" "), told(node)];
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "-1");
    // Who speaks to the machine says what is seen.
    element.setAttribute("aria-label", text.includes(seen) ? text : `${seen}. ${text}`);
  }
  graph.nodes[0]?.element.setAttribute("tabindex", "0");
  for (const element of graph.svg.querySelectorAll(":scope > text, :scope > path, :scope > rect")) element.setAttribute("aria-hidden", "true");
}
