// The part of a drawing that is seen: it can be moved and enlarged, by wheel, pointers and calls.

/** A step of a zoom, and of a movement: the part of the frame. */
const STEP = 1.25;
const PART = 0.2;
/** The largest size at which a drawing is shown as a whole, and at all. */
const LARGEST_FIT = 1.2;
const LARGEST = 8;
/** A whole drawing of which one side takes less than this part of the frame cannot be read. */
const THIN = 0.15;
/** A pointer that moves no farther than this many pixels has clicked. */
const STILL = 4;

/** The view of `svg` in the element `frame`, at first of the whole drawing. */
export class Viewport {
  constructor(frame, svg) {
    this.frame = frame;
    this.svg = svg;
    const { width, height } = svg.viewBox.baseVal;
    this.whole = { width, height };
    this.isFit = true;
    this.pointers = new Map();
    svg.setAttribute("width", "100%");
    svg.setAttribute("height", "100%");
    this.listen();
    this.begin();
  }

  /** Shows the whole drawing, or if that would be a thin strip, its start, as large as the strip fits in. */
  begin() {
    this.fit();
    const { width, height } = this.size;
    const [wide, high] = [this.whole.width / width, this.whole.height / height];
    if (Math.min(wide, high) * this.scale > THIN || this.frame.clientWidth === 0) return;
    this.scale = Math.min(1, 1 / Math.min(wide, high));
    this.isFit = false;
    const beginning = (size, whole) => (whole * this.scale > size ? size / 2 / this.scale : whole / 2);
    this.centre(beginning(width, this.whole.width), beginning(height, this.whole.height));
  }

  /** Ends all listening. */
  stop() {
    this.listening.abort();
    this.observer.disconnect();
  }

  get size() {
    return { width: this.frame.clientWidth || 1, height: this.frame.clientHeight || 1 };
  }

  get smallest() {
    const { width, height } = this.size;
    return Math.min(width / this.whole.width, height / this.whole.height, LARGEST_FIT);
  }

  /** Shows the whole drawing. */
  fit() {
    this.scale = this.smallest;
    this.isFit = true;
    this.centre(this.whole.width / 2, this.whole.height / 2);
  }

  /** Enlarges by `factor`; the point of the frame stays where it is, which is its middle if none is given. */
  zoom(factor, at = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = Math.min(Math.max(this.scale * factor, this.smallest / 2), LARGEST);
    this.x += at.x / this.scale - at.x / scale;
    this.y += at.y / this.scale - at.y / scale;
    this.scale = scale;
    this.isFit = false;
    this.show();
  }

  /** Moves what is seen by so many pixels. */
  pan(dx, dy) {
    this.x += dx / this.scale;
    this.y += dy / this.scale;
    this.isFit = false;
    this.show();
  }

  /** Brings a point of the drawing to the middle of the frame. */
  centre(x, y) {
    const { width, height } = this.size;
    this.x = x - width / 2 / this.scale;
    this.y = y - height / 2 / this.scale;
    this.show();
  }

  /** Brings a point of the drawing into sight, large enough to be read. */
  reveal(x, y) {
    const { width, height } = this.size;
    const at = { x: (x - this.x) * this.scale, y: (y - this.y) * this.scale };
    const isSeen = at.x > 30 && at.y > 30 && at.x < width - 30 && at.y < height - 30;
    if (isSeen && this.scale >= 0.45) return;
    this.scale = Math.max(this.scale, 0.8);
    this.isFit = false;
    this.centre(x, y);
  }

  /** Does what a key means. Returns true if it means something. */
  key(key) {
    const { width, height } = this.size;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.fit();
    else if (moves[key]) this.pan(moves[key][0] * width * PART, moves[key][1] * height * PART);
    else return false;
    return true;
  }

  show() {
    const { width, height } = this.size;
    // A part of the drawing is always in sight.
    const clamp = (at, size, whole) => Math.min(Math.max(at, -size * 0.9), whole - size * 0.1);
    this.x = clamp(this.x, width / this.scale, this.whole.width);
    this.y = clamp(this.y, height / this.scale, this.whole.height);
    // What has to be read at any size is drawn so many units large.
    this.svg.style.setProperty("--unit", Math.min(Math.max(1 / this.scale, 1), 6));
    this.svg.setAttribute("viewBox", [this.x, this.y, width / this.scale, height / this.scale].map((n) => Math.round(n * 100) / 100).join(" "));
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    const on = (name, does, more) => this.frame.addEventListener(name, does, { signal, ...more });
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.pointers.delete(event.pointerId));
    // Whoever has moved the drawing has clicked nothing in it.
    on("click", (event) => this.hasMoved && event.stopPropagation(), { capture: true });
    this.observer = new ResizeObserver(() => {
      // While another view is seen the frame has no size, and what is seen in it stays.
      if (this.frame.isConnected) this.isFit ? this.fit() : this.show();
    });
    this.observer.observe(this.frame);
  }

  /** The place of an event in the frame. */
  at(event) {
    const { left, top } = this.frame.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  wheel(event) {
    event.preventDefault();
    if (event.shiftKey) return this.pan(event.deltaX || event.deltaY, 0);
    // Lines and pages are counted as pixels; a pinch on a pad comes as a wheel in small steps.
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
    this.zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0015)), this.at(event));
  }

  down(event) {
    if (event.button !== 0) return;
    if (this.pointers.size === 0) this.hasMoved = false;
    this.pointers.set(event.pointerId, this.at(event));
    this.began = this.at(event);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    if (!this.hasMoved && this.pointers.size === 1 && Math.hypot(now.x - this.began.x, now.y - this.began.y) < STILL) return;
    if (!this.hasMoved) this.frame.setPointerCapture(event.pointerId);
    this.hasMoved = true;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      this.zoom(apart(now) / apart(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else {
      this.pan(before.x - now.x, before.y - now.y);
    }
    this.pointers.set(event.pointerId, now);
  }
}
