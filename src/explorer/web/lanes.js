// Lanes: a row for each component, a column for each step, and what each component is now. Only what is in view is drawn.
import { htm, h, useState, useMemo, useRef, useLayoutEffect, useEffect } from "./vendor.js";
import { MANY, chasedIn, columnsOf, foldedAtFirst, isInternal, rowsOf, shown, taking } from "./rows.js";
import { cut, labels } from "./names.js";

export { isInternal, shown } from "./rows.js";

const html = htm.bind(h);

/** Widths and heights in pixels: with these, what is in view is known without asking the browser. */
const ROW = 30;
const NARROW = 40;
const LETTER = 8.5;
/** How many columns and rows beside those in view are drawn, too. */
const BESIDE = 6;
/** The most characters of an event, upright above its column and in a cell. */
const LONGEST_HEAD = 20;
const LONGEST_CELL = 16;

/** The lanes of a walk; `goTo(n)` goes to where n steps are taken; `marks` says what is wrong, and where. */
export function Lanes({ walk, hidesInternal, goTo, marks = {} }) {
  const [isTree, setIsTree] = useState(() => walk.components.length > MANY && (walk.operators ?? []).length > 0);
  const [folded, setFolded] = useState(() => foldedAtFirst(walk));
  const chased = useMemo(() => chasedIn(walk), [walk]);
  const [showsChased, setShowsChased] = useState(false);
  const rows = useMemo(() => rowsOf(walk, isTree, folded), [walk, isTree, folded]);
  const columns = useMemo(() => columnsOf(walk, { hidesInternal, showsChased }), [walk, hidesInternal, showsChased]);
  const fold = (index) => setFolded((now) => {
    const next = new Set(now);
    if (!next.delete(index)) next.add(index);
    return next;
  });
  const all = (walk.operators ?? []).map((_, index) => index);
  return html`
    ${(all.length > 0 || chased > 0) && html`<div class="row lane-options">
      ${all.length > 0 && html`<label><input type="checkbox" checked=${isTree} onChange=${(e) => setIsTree(e.target.checked)} /> operators</label>`}
      ${isTree && html`<button onClick=${() => setFolded(new Set())} disabled=${folded.size === 0}>Unfold all</button>
        <button onClick=${() => setFolded(new Set(all.slice(1)))}>Fold all</button>`}
      ${chased > 0 && html`<label><input type="checkbox" checked=${showsChased} disabled=${hidesInternal} onChange=${(e) => setShowsChased(e.target.checked)} /> the ${chased} steps that <code>chase</code> follows</label>`}
    </div>`}
    <${Table} walk=${walk} rows=${rows} columns=${columns} isTree=${isTree} fold=${fold} goTo=${goTo} marks=${marks} />`;
}

/** What is in view of `place`, and what keeps that up to date. */
function useView(place) {
  const [view, setView] = useState({ left: 0, top: 0, width: 900, height: 500 });
  useLayoutEffect(() => {
    const element = place.current;
    let asked = 0;
    const look = () => {
      asked = 0;
      // While another view is seen, this one stays as it is.
      if (!element.isConnected) return;
      const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element;
      setView((now) => (now.left === left && now.top === top && now.width === width && now.height === height ? now : { left, top, width, height }));
    };
    const later = () => (asked ||= requestAnimationFrame(look));
    const watch = new ResizeObserver(later);
    watch.observe(element);
    element.addEventListener("scroll", later, { passive: true });
    look();
    return () => {
      watch.disconnect();
      cancelAnimationFrame(asked);
      element.removeEventListener("scroll", later);
    };
  }, []);
  return view;
}

/** From where to where of `count` things of this size is drawn, if `start` to `start + length` is in view. */
function windowOf(count, size, start, length) {
  const from = Math.max(Math.floor(start / size) - BESIDE, 0);
  return { from: Math.min(from, count), to: Math.min(Math.ceil((start + length) / size) + BESIDE, count) };
}

function Table({ walk, rows, columns, isTree, fold, goTo, marks }) {
  const place = useRef(null);
  const view = useView(place);
  const sizes = useMemo(() => sizesOf(rows, columns, isTree, walk), [rows, columns, isTree]);
  const { wide, head } = sizes;
  const now = Math.round(Math.min(sizes.now, view.width * 0.3));
  const { name, named } = useMemo(() => namesIn(rows, sizes.name, view.width), [rows, sizes, view.width]);
  useFollowing(place, { columns, steps: walk.steps.length, wide, name, now });
  const across = windowOf(columns.length, wide, view.left, view.width);
  const down = windowOf(rows.length, ROW, view.top, view.height);
  const states = useMemo(() => labels(walk.components.map((component) => component.now ?? ""), Math.max(Math.floor((now - 16) / LETTER), 6)), [walk, now]);
  const drawn = columns.slice(across.from, across.to).map((column, index) => ({
    ...column, at: across.from + index + 2, takes: taking(column.step, rows, walk), look: lookOf(column, walk, marks),
  }));
  for (const column of drawn) column.ends = endsOf(column.takes);
  const gap = (width) => width > 0 && html`<td class="gap" aria-hidden="true" style=${`width: ${width}px; min-width: ${width}px`}></td>`;
  const [before, after] = [across.from * wide, (columns.length - across.to) * wide];
  const space = (height) => height > 0 && html`<tr aria-hidden="true"><td class="gap" style=${`height: ${height}px`}></td></tr>`;
  return html`
    <div class="lanes windowed" ref=${place} tabindex="0" role="region" aria-label="Lanes: components and steps" style=${`--wide: ${wide}px; --name: ${name}px; --now: ${now}px; --head: ${head}px`}>
      <table aria-colcount=${columns.length + 2} aria-rowcount=${rows.length + 1}>
        <thead>
          <tr aria-rowindex="1">
            <th scope="col" aria-colindex="1">component</th>
            ${gap(before)}
            ${drawn.map((column) => html`<${Head} key=${`${column.number}-${column.at}`} column=${column} goTo=${goTo} />`)}
            ${gap(after)}
            <th scope="col" class="now" aria-colindex=${columns.length + 2}>now</th>
          </tr>
        </thead>
        <tbody>
          ${space(down.from * ROW)}
          ${rows.slice(down.from, down.to).map((row, index) => html`
            <tr key=${`${row.kind}-${row.index}`} aria-rowindex=${down.from + index + 2} class=${`${row.kind} ${row.of.now === null ? "gone" : ""}`}>
              <${RowHead} row=${row} label=${named.get(row.name)} isTree=${isTree} fold=${fold} />
              ${gap(before)}
              ${drawn.map((column) => html`<${Cell} key=${column.at} column=${column} row=${down.from + index} name=${row.name} />`)}
              ${gap(after)}
              ${row.kind === "operator"
                ? html`<td class="now" aria-colindex=${columns.length + 2}></td>`
                : html`<td class="now" title=${nowTitle(row.of)} aria-colindex=${columns.length + 2}>${row.of.now === null ? "no longer runs" : states.get(row.of.now)}</td>`}
            </tr>`)}
          ${space((rows.length - down.to) * ROW)}
        </tbody>
      </table>
    </div>`;
}

/** How the names of rows are shown, and in how wide a column: no two alike, so that it may have to be wider. */
function namesIn(rows, wanted, width) {
  const room = Math.min(wanted, width * 0.4);
  const indents = new Map(rows.map((row) => [row.name, row.depth * 12 + (row.kind === "operator" ? 34 : 20)]));
  const named = labels(rows.map((row) => row.name), (row) => Math.max(Math.floor((room - indents.get(row)) / LETTER), 8));
  const needed = [...named].reduce((most, [row, label]) => Math.max(most, label.length * LETTER + indents.get(row)), 0);
  return { named, name: Math.round(Math.min(Math.max(room, needed), width * 0.5)) };
}

/** Widths and heights, of all columns and not of those in view alone, so that nothing moves on scrolling. */
function sizesOf(rows, columns, isTree, walk) {
  const longest = (texts, most) => Math.min(texts.reduce((long, text) => Math.max(long, text.length), 0), most);
  const own = columns.flatMap(({ step }) => step.parts.map((part) => (isOwn(part.event, step) ? part.event : "")));
  const through = isTree ? columns.flatMap(({ step }) => (step.operators ?? []).map((part) => (isOwn(part.event, step) ? part.event : ""))) : [];
  const cell = longest([...own, ...through], LONGEST_CELL);
  return {
    wide: Math.max(NARROW, Math.round(cell * LETTER + 22)),
    head: Math.round(longest(columns.map(({ step }) => step.event), LONGEST_HEAD) * LETTER + 48),
    name: Math.max(rows.reduce((most, row) => Math.max(most, row.name.length * LETTER + row.depth * 12 + 44), 0), 110),
    now: Math.max(longest(walk.components.map((component) => component.now ?? "no longer runs"), 44) * LETTER + 22, 90),
  };
}

/** Keeps the present step in view, between the names and what the components are now. */
function useFollowing(place, { columns, steps, wide, name, now }) {
  useEffect(() => {
    const element = place.current;
    let last = columns.length - 1;
    while (last >= 0 && columns[last].number > steps) last -= 1;
    const [left, right] = [last * wide, (last + 1) * wide];
    const room = element.clientWidth - name - now;
    if (left < element.scrollLeft || right > element.scrollLeft + room) element.scrollLeft = Math.max(right - room + wide / 2, 0);
  }, [steps, columns, wide, name, now]);
}

function lookOf({ number, isChased }, walk, { wrong, cycleFrom, cycleTo }) {
  const classes = [];
  if (isChased) classes.push("chased");
  else if (number === walk.steps.length) classes.push("latest");
  if (!isChased && number === wrong) classes.push("wrong");
  if (cycleFrom && number >= cycleFrom && number <= cycleTo) classes.push("loop", number === cycleFrom ? "loop-first" : "", number === cycleTo ? "loop-last" : "");
  return classes.filter(Boolean).join(" ");
}

function Head({ column: { step, number, at, look, isChased }, goTo }) {
  const mark = look.includes("wrong") ? "not allowed" : look.includes("loop-first") ? "again and again" : "";
  const text = cut(isChased ? shown(step.event) : step.event, LONGEST_HEAD);
  return html`
    <th scope="col" class=${look} aria-colindex=${at}>
      ${isChased
        ? html`<span class="event internal" title=${`chase follows ${step.event}`}>${text}</span>`
        : html`<button class=${isInternal(step.event) ? "internal" : ""} title=${`Go to step ${number}: ${step.event}${mark ? ` — ${mark}` : ""}`}
            onClick=${() => goTo(number)}><span class="event">${text}</span><span class="number">${mark && html`<span class="mark" aria-hidden="true">${look.includes("wrong") ? "✗" : "↻"}</span><span class="hidden">${mark} </span>`}${number}</span></button>`}
    </th>`;
}

function RowHead({ row, label, isTree, fold }) {
  const whole = row.kind === "operator" ? row.of.text : [...row.of.within, row.name].join(" › ");
  return html`
    <th scope="row" aria-colindex="1" title=${whole} style=${isTree ? `padding-left: ${0.45 + row.depth * 0.75}rem` : ""}>
      ${row.kind === "operator"
        ? html`<button class="fold" aria-expanded=${row.isFolded ? "false" : "true"} onClick=${() => fold(row.index)}><span aria-hidden="true">${row.isFolded ? "▸" : "▾"}</span> ${label}</button>`
        : label}
    </th>`;
}

/** The first and the last row that does a step. */
function endsOf(takes) {
  let [first, last] = [Infinity, -1];
  takes.forEach((take, row) => {
    if (take?.is !== "part") return;
    first = Math.min(first, row);
    last = row;
  });
  return [first, last];
}

/** What a row does in a step, with a line to the others that take part. */
function Cell({ column: { step, at, look, takes, ends: [first, last] }, row, name }) {
  const take = takes[row];
  const classes = [look];
  if (take?.is === "part") {
    classes.push("part");
    if (row === first) classes.push(row === last ? "only" : "first");
    else if (row === last) classes.push("last");
  } else if (row > first && row < last) {
    classes.push("between");
  }
  const own = take && isOwn(take.event, step);
  const kind = take?.is === "above" ? `through ${isInternal(take.event) ? "internal" : ""}` : "dot";
  return html`<td class=${classes.join(" ")} aria-colindex=${at}>
    ${take && html`<span class=${`${kind} ${own ? "own" : ""}`} title=${`${name}: ${take.event}`}>
      ${own ? cut(take.event, LONGEST_CELL) : html`<span class="hidden">${take.event}</span>`}</span>`}
  </td>`;
}

/** Whether an event of a row is another one than that above the column, hidden or not. */
const isOwn = (event, step) => shown(event) !== shown(step.event);

const nowTitle = (component) =>
  component.now === null ? "" : `${component.now}\noffers ${component.offers.join(", ") || "nothing"}`;
