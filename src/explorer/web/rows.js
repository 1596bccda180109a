// The rows of lanes: components, and the operators above them, which can be folded.

/**
 * The rows of `walk`. As a tree it has the operators too: what is below an operator in `folded`, a set of their
 * numbers, is left out.
 */
export function rowsOf(walk, isTree, folded) {
  const component = (index, depth) => ({ kind: "component", index, depth, name: walk.components[index].name, of: walk.components[index] });
  const operators = walk.operators ?? [];
  if (!isTree || operators.length === 0) return walk.components.map((_, index) => component(index, 0));
  const rows = [];
  const below = childrenOf(walk, operators);
  const alike = new Map();
  for (const { symbol } of operators) alike.set(symbol, (alike.get(symbol) ?? 0) + 1);
  // Operators may be nested deeper than the stack of a browser.
  const open = [...below.get(null)].reverse().map((child) => [child, 0]);
  while (open.length > 0) {
    const [child, depth] = open.pop();
    if (child.kind === "component") {
      rows.push(component(child.index, depth));
      continue;
    }
    const isFolded = folded.has(child.index);
    rows.push({ kind: "operator", index: child.index, depth, isFolded, name: titleOf(operators[child.index], walk.components[child.first], alike), of: operators[child.index] });
    if (!isFolded) open.push(...[...(below.get(child.index) ?? [])].reverse().map((next) => [next, depth + 1]));
  }
  return rows;
}

/** By operator, or `null` for the outermost, what stands directly below, in the order of the first component. */
function childrenOf(walk, operators) {
  const below = new Map([[null, []]]);
  const add = (around, child) => below.set(around, [...(below.get(around) ?? []), child]);
  const first = operators.map(() => Infinity);
  walk.components.forEach(({ operator = null }, index) => {
    for (let above = operator; above !== null; above = operators[above].around) first[above] = Math.min(first[above], index);
  });
  operators.forEach(({ around }, index) => add(around, { kind: "operator", index, first: first[index] }));
  walk.components.forEach(({ operator = null }, index) => add(operator, { kind: "component", index, first: index }));
  // What starts later stands behind. An operator comes before its own components.
  for (const children of below.values()) children.sort((a, b) => a.first - b.first || (a.kind === "operator" ? -1 : 1));
  return below;
}

/** An operator with the name of its process if it has one in the script; of several alike, with the first component. */
function titleOf({ text, symbol }, first, alike) {
  if (isCall(text) && !text.startsWith(`${symbol}(`)) return `${text} ${symbol}`;
  return alike.get(symbol) > 1 ? `${symbol} ${first?.name ?? ""} …` : symbol;
}

/** Whether a process is written as a name, perhaps with arguments, and nothing more. */
function isCall(text) {
  const [name] = text.match(/^[A-Za-z_]\w*/) ?? [];
  if (!name) return false;
  let open = 0;
  for (let at = name.length; at < text.length; at += 1) {
    if (text[at] === "(") open += 1;
    else if (text[at] === ")") open -= 1;
    if (open === 0 && at < text.length - 1) return false;
  }
  return open === 0;
}

/** The operators that are folded at first: where there are many components, those with many side by side. */
export function foldedAtFirst(walk) {
  const operators = walk.operators ?? [];
  if (walk.components.length <= MANY) return new Set();
  const sizes = operators.map(() => 0);
  for (const { operator = null } of walk.components) if (operator !== null) sizes[operator] += 1;
  return new Set(operators.map((_, index) => index).filter((index) => sizes[index] > MANY / 2));
}

/** Of more components the operators are shown at first, so that groups of them can be folded. */
export const MANY = 16;

/**
 * What happens in each of `rows` in a step: by row, the event, and how the row takes part. A `part` does it; an operator
 * that is unfolded is `above` its parts.
 */
export function taking(step, rows, walk) {
  const own = new Map(step.parts.map((part) => [part.component, part.event]));
  const through = new Map((step.operators ?? []).map((part) => [part.operator, part.event]));
  const inside = insideOf(step, walk);
  return rows.map((row) => {
    if (row.kind === "component") return own.has(row.name) ? { event: own.get(row.name), is: "part" } : null;
    const event = through.get(row.index) ?? (row.isFolded && inside.get(row.index)) ?? null;
    return event ? { event, is: row.isFolded ? "part" : "above" } : null;
  });
}

/** By operator, the events of the components below it, for operators that are gone but stand for what took over. */
function insideOf(step, walk) {
  const found = new Map();
  const byName = namesOf(walk);
  for (const part of step.parts) {
    let above = byName.get(part.component)?.operator ?? null;
    for (; above !== null; above = walk.operators[above].around) if (!found.has(above)) found.set(above, part.event);
  }
  return found;
}

const known = new WeakMap();

/** The components of `walk` by name. */
function namesOf(walk) {
  if (!known.has(walk)) known.set(walk, new Map(walk.components.map((component) => [component.name, component])));
  return known.get(walk);
}

/** The columns of `walk`: its steps with their numbers, and between them what a `chase` has followed. */
export function columnsOf(walk, { hidesInternal, showsChased }) {
  const columns = [];
  const chased = (list, number) => {
    if (showsChased && !hidesInternal) for (const step of list ?? []) columns.push({ step, number, isChased: true });
  };
  chased(walk.chased, 0);
  walk.steps.forEach((step, index) => {
    if (!(hidesInternal && isInternal(step.event))) columns.push({ step, number: index + 1 });
    chased(step.chased, index + 1);
  });
  return columns;
}

/** How many steps a `chase` has followed on `walk`. */
export const chasedIn = (walk) => walk.steps.reduce((sum, step) => sum + (step.chased?.length ?? 0), walk.chased?.length ?? 0);

/** Whether a step is internal. */
export const isInternal = (event) => event.startsWith("τ");

/** The event behind a hidden one, or the event itself. */
export const shown = (event) => (event.startsWith("τ (") ? event.slice(3, -1) : event);
