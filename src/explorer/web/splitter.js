// The line between the script and the views, which can be moved by pointer and by keys.
import { htm, h, useState, useRef, useLayoutEffect } from "./vendor.js";
import { keep, kept } from "./keeping.js";

const html = htm.bind(h);

/** The share of the script, in per cent: at first, at least, at most, and the step of a key. */
const [USUAL, LEAST, MOST, STEP] = [38, 15, 80, 2];

const KEY = "split";

/** Stands at the left of the views, in the page, whose columns `--split` is for. */
export function Splitter({ controls }) {
  const [share, setShare] = useState(usual);
  const line = useRef(null);
  useLayoutEffect(() => pageOf(line.current).style.setProperty("--split", `${share}%`), [share]);
  const move = (to) => {
    const next = Math.min(Math.max(to, LEAST), MOST);
    setShare(next);
    keep(KEY, next === USUAL ? null : String(next));
  };
  const drag = (event) => {
    if (!line.current.hasPointerCapture(event.pointerId)) return;
    const { left, width } = pageOf(line.current).getBoundingClientRect();
    move((100 * (event.clientX - left)) / width);
  };
  const key = (event) => {
    const to = { ArrowLeft: share - STEP, ArrowRight: share + STEP, Home: LEAST, End: MOST, Enter: USUAL }[event.key];
    if (to === undefined) return;
    move(to);
    event.preventDefault();
    // The same keys step through a walk.
    event.stopPropagation();
  };
  return html`
    <div class="splitter" ref=${line} role="separator" tabindex="0" aria-label="Width of the script" aria-orientation="vertical" aria-controls=${controls}
      aria-valuenow=${Math.round(share)} aria-valuemin=${LEAST} aria-valuemax=${MOST} title="Drag, or use arrows; a double click resets it"
      onPointerDown=${(event) => event.button === 0 && event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove=${drag} onDblClick=${() => move(USUAL)} onKeyDown=${key}></div>`;
}

const pageOf = (line) => line.closest(".page");

/** The share that this browser keeps. */
function usual() {
  const share = Number(kept(KEY));
  return share >= LEAST && share <= MOST ? share : USUAL;
}
