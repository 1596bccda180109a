// Who waits for whom, drawn: a circle of components each of which waits for the next, and those that wait for them.
import { htm, h, useMemo } from "./vendor.js";
import { cut, labels } from "./names.js";

const html = htm.bind(h);

/** With more components not all have their names at them, and the events are left out. */
const MOST_NAMED = 12;
/** With more, the events are left out. */
const MOST_EVENTS = 10;
/** The most components outside of the circle that are drawn. */
const MOST_OTHERS = 24;

/** The drawn graph, with the same in words. */
export function WaitGraph({ circle, components }) {
  const drawn = useMemo(() => layout(circle ?? [], components), [circle, components]);
  if (!circle?.length) return null;
  const line = (member) => html`<li><span class="code">${member.component}</span> waits to do <span class="code">${member.event}</span></li>`;
  const list = html`<ul>${circle.map(line)}</ul><p>each for the next, and the last for the first.</p>`;
  return html`
    <div class="notice maybe"><strong>They wait for each other:</strong>
      <${Graph} drawn=${drawn} count=${circle.length} />
      ${circle.length <= MOST_NAMED ? list : html`<details><summary>all ${circle.length} in words</summary>${list}</details>`}
      ${drawn.others > 0 && html`<p class="soft">${drawn.others} more wait for one of them${drawn.others > drawn.outside.length ? `, of which ${drawn.outside.length} are drawn` : ""}.</p>`}
    </div>`;
}

/** Places on a circle, in a square of side 1000 about the middle. */
function layout(circle, components) {
  const members = new Map(circle.map((member, index) => [member.component, index]));
  const waiting = components.filter((component) => !members.has(component.name) && component.waits_for.some((wait) => wait.components.some((name) => members.has(name))));
  const outside = waiting.slice(0, MOST_OTHERS).map((component) => {
    const wait = component.waits_for.find(({ components: on }) => on.some((name) => members.has(name)));
    return { component: component.name, event: wait.event, on: members.get(wait.components.find((name) => members.has(name))) };
  });
  const radius = outside.length > 0 ? 160 : 220;
  const at = (index, far) => {
    const angle = (2 * Math.PI * index) / circle.length - Math.PI / 2;
    return { x: far * Math.cos(angle), y: far * Math.sin(angle), angle };
  };
  const named = labels([...circle.map((member) => member.component), ...outside.map((other) => other.component)], 15);
  // Those that wait for the same member stand beside each other.
  const beside = new Map();
  const others = outside.map((other) => {
    const nth = beside.get(other.on) ?? 0;
    beside.set(other.on, nth + 1);
    return { ...other, label: named.get(other.component), ...at(other.on + (nth - 0.5) * 0.34 + 0.17, radius + 80 + 30 * (nth % 2)) };
  });
  return { radius, nodes: circle.map((member, index) => ({ ...member, label: named.get(member.component), ...at(index, radius) })), outside: others, others: waiting.length };
}

function Graph({ drawn: { nodes, outside, radius }, count }) {
  const isLarge = count > MOST_NAMED;
  const size = isLarge ? Math.min(9, (Math.PI * radius) / count) : 14;
  const every = Math.ceil(count / MOST_NAMED);
  const name = `Wait-for graph: a circle of ${count} components${outside.length > 0 ? `, and ${outside.length} that wait for one of them` : ""}`;
  return html`
    <svg class="waits" viewBox="-500 -310 1000 620" role="img" aria-label=${name}>
      ${nodes.map((node, index) => html`<${Line} from=${node} to=${nodes[(index + 1) % count]} size=${size} event=${count > MOST_EVENTS ? null : node.event} />`)}
      ${outside.map((other) => html`<${Line} from=${other} to=${nodes[other.on]} size=${size} outside event=${null} />`)}
      ${nodes.map((node, index) => html`<${Node} node=${node} size=${isLarge && index % every === 0 ? 6 : size} isNamed=${!isLarge || index % every === 0} />`)}
      ${outside.map((other) => html`<${Node} node=${other} size=${size * 0.7} isNamed=${!isLarge} other />`)}
    </svg>`;
}

function Line({ from, to, size, event, outside }) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / far, dy / far];
  const tip = Math.min(11, size * 1.2);
  const end = { x: to.x - ux * (size + 2), y: to.y - uy * (size + 2) };
  const back = { x: end.x - ux * tip, y: end.y - uy * tip };
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const look = outside ? "outside" : "";
  const at = besideLine(middle);
  return html`<g>
    <line class=${`line ${look}`} x1=${from.x + ux * size} y1=${from.y + uy * size} x2=${back.x} y2=${back.y} />
    <path class=${`tip ${look}`} d=${`M${end.x} ${end.y}L${back.x - uy * tip * 0.5} ${back.y + ux * tip * 0.5}L${back.x + uy * tip * 0.5} ${back.y - ux * tip * 0.5}Z`} />
    ${event && html`<text class="event" font-size="21" text-anchor=${at.anchor} x=${at.x} y=${at.y}>${cut(event, 20)}<title>${event}</title></text>`}
  </g>`;
}

/** The place of the event of a line with this middle: outside of the circle, or within it where the names of nodes are above it. */
function besideLine({ x, y }) {
  if (Math.abs(y) > 2 * Math.abs(x)) return { x: Math.sign(x) * 8, y: y * 0.74 + 6, anchor: x > 0 ? "start" : "end" };
  return { x: x * 1.06 + Math.sign(x) * 6, y: y * 1.08 + 6, anchor: x > 0 ? "start" : "end" };
}

function Node({ node, size, isNamed, other }) {
  const isRight = Math.cos(node.angle) > 0.2;
  const isLeft = Math.cos(node.angle) < -0.2;
  const [x, y] = [node.x + Math.cos(node.angle) * (size + 8), node.y + Math.sin(node.angle) * (size + 18) + 8];
  return html`<g>
    <circle class=${other ? "node other" : "node"} cx=${node.x} cy=${node.y} r=${size}><title>${node.component} waits to do ${node.event}</title></circle>
    ${isNamed && html`<text font-size=${other ? 22 : 25} x=${x} y=${y} text-anchor=${isRight ? "start" : isLeft ? "end" : "middle"}>${node.label}<title>${node.component} waits to do ${node.event}</title></text>`}
  </g>`;
}
