// Pictures of states: a block of comments of the script says what is drawn while a process is walked.
import { htm, h, useMemo } from "./vendor.js";
import { Mistake, Names, Reader, numberOf } from "./expression.js";
import { shown } from "./rows.js";

const html = htm.bind(h);

/** How many numbers each shape has. */
const SHAPES = { rect: 4, circle: 3, line: 4, text: 2 };
const COLOURS = ["accent", "good", "bad", "maybe", "soft", "plain"];
/** The most shapes of one picture. */
const MOST_SHAPES = 2000;

/** The pictures of the script, as they are at the end of `walk`. */
export function Pictures({ pictures, walk, definitions }) {
  return pictures.map((picture) => html`<${Picture} key=${`${picture.file}:${picture.line}`} picture=${picture} walk=${walk} definitions=${definitions} />`);
}

function Picture({ picture, walk, definitions }) {
  const read = useMemo(() => attempt(() => understood(picture)), [picture]);
  const drawn = useMemo(() => (read.problem ? read : attempt(() => shapesOf(read.value, walk, constantsOf(picture, definitions)))), [read, walk]);
  if (drawn.problem) return html`<p class="notice maybe">The picture “${picture.name}” (${picture.file}, line ${picture.line}) cannot be drawn: ${drawn.problem}.</p>`;
  const [width, height] = drawn.value.size;
  return html`
    <figure class="picture">
      <svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`${picture.name}: ${drawn.value.words || "as at the start"}`} style=${`max-width: ${width * 1.6}px`}>
        ${drawn.value.shapes.map(({ kind, numbers: [a, b, c, d], colour, words }) => ({
          rect: () => html`<rect class=${colour} x=${a} y=${b} width=${Math.max(c, 0)} height=${Math.max(d, 0)} rx="3" />`,
          circle: () => html`<circle class=${colour} cx=${a} cy=${b} r=${Math.max(c, 0)} />`,
          line: () => html`<line class=${colour} x1=${a} y1=${b} x2=${c} y2=${d} />`,
          text: () => html`<text class=${colour} x=${a} y=${b}>${words}</text>`,
        })[kind]())}
      </svg>
      <figcaption class="soft">${picture.name}</figcaption>
    </figure>`;
}

function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Mistake) return { problem: error.message };
    throw error;
  }
}

/** Numbers of the script, but for those that were replaced as by `-D`. */
function constantsOf({ constants }, definitions = []) {
  const given = definitions.map((text) => text.match(/^(\w+)=(\d+)$/)).filter(Boolean);
  return new Map([...Object.entries(constants), ...given.map(([, name, value]) => [name, Number(value)])]);
}

/** What a picture says, read once. */
function understood({ lines }) {
  const all = { size: [300, 150], place: [], start: [], on: [], at: [], shapes: [] };
  for (const line of joined(lines)) {
    const reader = new Reader(line);
    const word = reader.name();
    if (word === "size") all.size = [reader.atom(), reader.atom()].map((value) => value(new Names(new Map(), new Map())));
    else if (word === "start" || word === "place") all[word].push(setting(reader));
    else if (word === "on" || word === "at") all[word].push(bound(reader));
    else if (word in SHAPES) all.shapes.push(shape(word, reader));
    else throw new Mistake(`“${word}” is no word of pictures`);
    if (!reader.isDone) throw new Mistake(`“${line}” goes on where it should end`);
  }
  return all;
}

/** The lines, each with those that go on with it. */
function joined(lines) {
  const whole = [];
  for (const line of lines.filter((one) => one !== "")) {
    if (/^(for|if|and)\b/.test(line) && whole.length > 0) whole.push(`${whole.pop()} ${line}`);
    else whole.push(line);
  }
  return whole;
}

/** `disc.d = START, … for d in 1..DISCS`. */
function setting(reader) {
  const settings = [];
  do {
    const cell = reader.cell();
    reader.needs("=");
    settings.push({ cell, value: reader.sum() });
  } while (reader.takes(","));
  const loops = loopsOf(reader);
  return (names, set) => through(loops, names, (inner) => settings.forEach(({ cell, value }) => set(cell(inner), value(inner))));
}

/** `move?d?p?q: disc.d = q`. */
function bound(reader) {
  const pattern = reader.pattern();
  reader.needs(":");
  return { pattern, set: setting(reader) };
}

/** `rect x y width height colour "words" for … if …`. */
function shape(kind, reader) {
  const numbers = Array.from({ length: SHAPES[kind] }, () => reader.sum());
  const words = kind === "text" ? reader.string() : null;
  const colour = COLOURS.find((name) => reader.takes(name)) ?? (kind === "text" ? "plain" : "accent");
  return { kind, numbers, words, colour, loops: loopsOf(reader), condition: reader.takes("if") ? reader.condition() : () => true };
}

function loopsOf(reader) {
  const loops = [];
  while (reader.takes("for")) {
    const name = reader.name();
    reader.needs("in");
    loops.push({ name, list: reader.list() });
  }
  return loops;
}

function through(loops, names, work) {
  if (loops.length === 0) return work(names);
  const [{ name, list }, ...rest] = loops;
  for (const item of list(names)) through(rest, names.with(name, item), work);
}

/** The shapes at the end of `walk`: what is remembered follows from its events, and from what its components are. */
function shapesOf(said, walk, constants) {
  const cells = new Map(constants);
  const places = new Map();
  const names = new Names(cells, places);
  const set = (cell, value) => cells.set(cell, value);
  for (const one of said.place) one(names, (name, value) => places.set(name, numberOf(value, names)));
  for (const one of said.start) one(names, set);
  const before = new Map(cells);
  for (const step of walk.steps) for (const event of eventsOf(step)) for (const one of said.on) apply(one, event.split("."), names, set);
  for (const component of walk.components) {
    if (component.now) for (const one of said.at) apply(one, partsOf(component.now), names, set);
  }
  const shapes = [];
  for (const { kind, numbers, words, colour, loops, condition } of said.shapes) {
    through(loops, names, (inner) => {
      if (!condition(inner)) return;
      if (shapes.length >= MOST_SHAPES) throw new Mistake(`it has more than ${MOST_SHAPES} shapes`);
      const filled = words?.replace(/\$([A-Za-z_][\w.]*\w|\w)/g, (_, cell) => String(inner.value(new Reader(cell).cell()(inner))));
      shapes.push({ kind, colour, words: filled, numbers: numbers.map((number) => numberOf(number(inner), inner)) });
    });
  }
  // In words, what is another than at the start.
  const changed = [...cells].filter(([cell, value]) => String(before.get(cell)) !== String(value));
  const remembered = changed.map(([cell, value]) => `${cell.replaceAll(".", " ")} is ${value}`);
  return { size: said.size, shapes, words: remembered.join(", ") };
}

/** The events of a step: that of the whole, hidden or not, and those of components that are others. */
function eventsOf(step) {
  return new Set([shown(step.event), ...step.parts.map((part) => shown(part.event)), ...(step.chased ?? []).map((chased) => shown(chased.event))]);
}

/** `HOLDING(A, {1, 2})` as its name and its arguments. */
function partsOf(state) {
  const [, name, inside] = state.match(/^(\w+)\((.*)\)$/s) ?? [];
  if (!name) return [state];
  const parts = [name];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= inside.length; at += 1) {
    if ("({<".includes(inside[at] ?? " ")) depth += 1;
    else if (")}>".includes(inside[at] ?? " ")) depth -= 1;
    if (at === inside.length || (inside[at] === "," && depth === 0)) {
      parts.push(inside.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts;
}

/** Sets what a line says if `parts` are an event or a state of its pattern. */
function apply({ pattern, set: settings }, parts, names, set) {
  if (parts.length !== pattern.length) return;
  let inner = names;
  for (const [index, { literal, binds }] of pattern.entries()) {
    if (binds !== undefined) inner = inner.with(binds, parts[index]);
    else if (literal !== parts[index]) return;
  }
  settings(inner, set);
}
