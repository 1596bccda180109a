// The nodes and lines of a drawing that the program has laid out, and the marks on them.

const SVG = "http://www.w3.org/2000/svg";

/** The drawing `text`, without its style: the page has its own colours, and allows no style but its own. */
export function parsed(text) {
  const plain = text.replace(/<style>[^<]*<\/style>/, "");
  return document.importNode(new DOMParser().parseFromString(plain, "image/svg+xml").documentElement, true);
}

/** The nodes and lines of `svg`, which is an element. */
export class DrawnGraph {
  constructor(svg) {
    this.svg = svg;
    this.nodes = [];
    this.ofState = new Map();
    for (const element of svg.querySelectorAll("[data-node]")) {
      const states = element.dataset.states.split(" ").map(Number);
      const group = element.dataset.group === undefined ? null : Number(element.dataset.group);
      const box = element.querySelector("rect:last-of-type");
      const of = (name) => Number(box.getAttribute(name));
      const node = { element, states, group, x: of("x") + of("width") / 2, y: of("y") + of("height") / 2, lines: [] };
      this.nodes[Number(element.dataset.node)] = node;
      for (const state of states) this.ofState.set(state, node);
    }
    this.lines = new Map();
    for (const element of svg.querySelectorAll("[data-between]")) {
      const [a, b] = element.dataset.between.split(" ").map(Number);
      const key = between(a, b);
      if (!this.lines.has(key)) this.lines.set(key, []);
      this.lines.get(key).push(element);
      this.nodes[a]?.lines.push(element);
      if (a !== b) this.nodes[b]?.lines.push(element);
    }
  }

  /** The number of a node. */
  number(node) {
    return Number(node.element.dataset.node);
  }

  /** The next node in a direction: of the same layer to the sides, of the next one above and below; or `null`. */
  beside(node, [dx, dy]) {
    let [best, least] = [null, [Infinity, Infinity]];
    for (const other of this.nodes) {
      const [x, y] = [other.x - node.x, other.y - node.y];
      const [along, across] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
      if (along <= 0.5 || (dx !== 0 && across > 0.5)) continue;
      if (along < least[0] - 0.5 || (along < least[0] + 0.5 && across < least[1])) [best, least] = [other, [along, across]];
    }
    return best;
  }

  /** Marks what was found, and the transitions of a run. What was marked before is so no longer. */
  mark({ found = [], present = null, trail = [] }) {
    for (const name of ["found", "present", "trail"]) {
      for (const element of this.svg.querySelectorAll(`.${name}`)) element.classList.remove(name);
    }
    for (const element of this.svg.querySelectorAll(".trail-label")) element.remove();
    for (const state of found) this.ofState.get(state)?.element.classList.add("found");
    this.ofState.get(present)?.element.classList.add("present");
    this.svg.classList.toggle("has-trail", trail.length > 0);
    const labels = new Map();
    for (const step of trail) {
      const [from, to] = [this.ofState.get(step.from), this.ofState.get(step.to)];
      if (!from || !to) continue;
      from.element.classList.add("trail");
      to.element.classList.add("trail");
      const key = between(this.number(from), this.number(to));
      for (const element of this.lines.get(key) ?? []) element.classList.add("trail");
      labels.set(key, { from, to, texts: [...(labels.get(key)?.texts ?? []), step.label] });
    }
    // Where lines have no labels, those of the run are seen all the same.
    if (this.svg.querySelector(".label")) return;
    for (const { from, to, texts } of labels.values()) {
      if (from === to) continue;
      const label = document.createElementNS(SVG, "text");
      label.classList.add("trail-label");
      label.setAttribute("x", (from.x + to.x) / 2 + 8);
      label.setAttribute("y", (from.y + to.y) / 2 + 4);
      label.textContent = texts.slice(0, 3).join(", ") + (texts.length > 3 ? ", …" : "");
      this.svg.append(label);
    }
  }
}

const between = (a, b) => `${Math.min(a, b)} ${Math.max(a, b)}`;
