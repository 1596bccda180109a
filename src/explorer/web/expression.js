// Expressions of pictures: numbers, names, cells of what is remembered, sums, comparisons, and counting.

/** A mistake in a picture, in words. */
export class Mistake extends Error {}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|("[^"]*")|(<=|>=|!=|\.\.|[-+*/()=<>.,:{}?]))/y;

/** The tokens of `text`. */
function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Mistake(`“${text.slice(at).trim()}” cannot be read`);
    const [, number, name, string, sign] = match;
    found.push(number !== undefined ? { number: Number(number) } : name !== undefined ? { name } : string !== undefined ? { string: string.slice(1, -1) } : { sign });
  }
  return found;
}

/** Reads what a line of a picture says, a piece at a time. What is read is evaluated later, by `(names) => value`. */
export class Reader {
  constructor(text) {
    this.text = text;
    this.rest = tokens(text);
  }

  get isDone() {
    return this.rest.length === 0;
  }

  /** Takes this word or sign if it is next. */
  takes(wanted) {
    const [next] = this.rest;
    if (next?.name !== wanted && next?.sign !== wanted) return false;
    this.rest.shift();
    return true;
  }

  needs(wanted) {
    if (!this.takes(wanted)) throw new Mistake(`“${wanted}” is missing in “${this.text}”`);
  }

  name() {
    const next = this.rest.shift();
    if (next?.name === undefined) throw new Mistake(`a name is missing in “${this.text}”`);
    return next.name;
  }

  string() {
    if (this.rest[0]?.string === undefined) return null;
    return this.rest.shift().string;
  }

  /** The name of a cell, such as `disc.d`, in which names that are bound stand for their values. */
  cell() {
    const parts = [this.name()];
    while (this.takes(".")) parts.push(this.rest[0]?.number !== undefined ? String(this.rest.shift().number) : this.name());
    return (names) => parts.map((part, index) => (index > 0 && names.has(part) ? String(names.value(part)) : part)).join(".");
  }

  /** An event or a state of which parts are bound: `move?d.A?p`. */
  pattern() {
    const parts = [{ literal: this.name() }];
    for (;;) {
      if (this.takes("?")) parts.push({ binds: this.name() });
      else if (this.takes(".")) parts.push({ literal: this.rest[0]?.number !== undefined ? String(this.rest.shift().number) : this.name() });
      else return parts;
    }
  }

  /** What `for v in` goes through: names and numbers, or a range. */
  list() {
    const items = [];
    while (this.rest[0] && (this.rest[0].number !== undefined || (this.rest[0].name !== undefined && !["for", "if", "where"].includes(this.rest[0].name)))) {
      const from = this.atom();
      if (!this.takes("..")) {
        items.push((names) => [from(names)]);
        continue;
      }
      const to = this.atom();
      items.push((names) => range(Number(from(names)), Number(to(names))));
    }
    return (names) => items.flatMap((item) => item(names));
  }

  /** `a = b and c < d`. */
  condition() {
    const all = [this.comparison()];
    while (this.takes("and")) all.push(this.comparison());
    return (names) => all.every((one) => one(names));
  }

  comparison() {
    const left = this.sum();
    const sign = ["=", "!=", "<=", ">=", "<", ">"].find((one) => this.takes(one));
    if (!sign) throw new Mistake(`a comparison is missing in “${this.text}”`);
    const right = this.sum();
    return (names) => COMPARE[sign](left(names), right(names));
  }

  sum() {
    let value = this.product();
    for (;;) {
      const [left, sign] = [value, this.takes("+") ? 1 : this.takes("-") ? -1 : 0];
      if (sign === 0) return value;
      const right = this.product();
      value = (names) => numberOf(left(names), names) + sign * numberOf(right(names), names);
    }
  }

  product() {
    let value = this.atom();
    for (;;) {
      const left = value;
      const times = this.takes("*");
      if (!times && !this.takes("/")) return value;
      const right = this.atom();
      value = (names) => (times ? numberOf(left(names), names) * numberOf(right(names), names) : numberOf(left(names), names) / numberOf(right(names), names));
    }
  }

  atom() {
    const [next] = this.rest;
    if (next?.number !== undefined) {
      this.rest.shift();
      return () => next.number;
    }
    if (this.takes("-")) {
      const value = this.atom();
      return (names) => -numberOf(value(names), names);
    }
    if (this.takes("(")) {
      const value = this.sum();
      this.needs(")");
      return value;
    }
    if (next?.name === "count" && this.rest[1]?.sign === "(") return this.count();
    const cell = this.cell();
    return (names) => names.value(cell(names));
  }

  /** `count(e in 1..N where disc.e = disc.d and e > d)`. */
  count() {
    this.rest.splice(0, 2);
    const name = this.name();
    this.needs("in");
    const list = this.list();
    this.needs("where");
    const condition = this.condition();
    this.needs(")");
    return (names) => list(names).filter((item) => condition(names.with(name, item))).length;
  }
}

const COMPARE = {
  "=": (a, b) => String(a) === String(b),
  "!=": (a, b) => String(a) !== String(b),
  "<": (a, b) => Number(a) < Number(b),
  ">": (a, b) => Number(a) > Number(b),
  "<=": (a, b) => Number(a) <= Number(b),
  ">=": (a, b) => Number(a) >= Number(b),
};

/** The most items of a range. */
const MOST = 1000;

function range(from, to) {
  if (!(to - from < MOST)) throw new Mistake(`the range ${from}..${to} is too long`);
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => from + index);
}

/** `value` as a number: a number, perhaps as a text, or the place with this name. */
export function numberOf(value, names) {
  const number = typeof value === "number" ? value : (names.places.get(value) ?? Number(value));
  if (Number.isNaN(number)) throw new Mistake(`“${value}” is no number`);
  return number;
}

/** What names stand for: what is bound, what is remembered, and otherwise themselves. Places are numbers for names. */
export class Names {
  constructor(cells, places, bound = new Map()) {
    Object.assign(this, { cells, places, bound });
  }

  has(name) {
    return this.bound.has(name) || this.cells.has(name);
  }

  value(name) {
    return this.bound.get(name) ?? this.cells.get(name) ?? name;
  }

  with(name, value) {
    return new Names(this.cells, this.places, new Map(this.bound).set(name, value));
  }
}
