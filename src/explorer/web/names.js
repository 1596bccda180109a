// Names and numbers that are too long to be read whole: names cut in the middle, numbers as powers and factorials.

/** `name` in at most `most` characters: where it is longer, its middle is left out. */
export function cut(name, most) {
  const characters = Array.from(name);
  if (characters.length <= most) return name;
  const end = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - end).join("")}…${characters.slice(characters.length - end).join("")}`;
}

/**
 * By each of `names`, how it is shown in about `most` characters, which may depend on the name. No two different names
 * are shown alike.
 */
export function labels(names, most) {
  const found = new Map();
  const size = typeof most === "function" ? most : () => most;
  label([...new Set(names)], size, (name) => cut(name, size(name)), found);
  // Where two groups were cut to the same, the whole names are shown.
  for (const group of grouped([...found.keys()], (name) => found.get(name)).values()) {
    if (group.length > 1) for (const name of group) found.set(name, name);
  }
  return found;
}

/** Labels `names` by `shorten`. Those that would look alike are cut round the first place where they differ. */
function label(names, size, shorten, found) {
  const groups = grouped(names, shorten);
  for (const [short, group] of groups) {
    if (group.length === 1) {
      found.set(group[0], short);
      continue;
    }
    // With room for more of each, at last the whole names are shown.
    const room = groups.size === 1 && shorten.isRound ? (name) => Math.ceil(size(name) * 1.25) : size;
    label(group, room, round(group, room), found);
  }
}

function grouped(names, key) {
  const groups = new Map();
  for (const name of names) {
    if (groups.has(key(name))) groups.get(key(name)).push(name);
    else groups.set(key(name), [name]);
  }
  return groups;
}

/** How names that begin alike are cut: the start, what follows the first difference, and the end. */
function round(group, size) {
  let same = 0;
  while (group.every((name) => name.length > same && name[same] === group[0][same])) same += 1;
  const shorten = (name) => {
    const most = size(name);
    const start = Math.ceil(most / 4);
    if (name.length <= most) return name;
    const rest = name.slice(Math.max(same - 2, start));
    return `${name.slice(0, start)}…${cut(rest, most - start)}`;
  };
  shorten.isRound = true;
  return shorten;
}

/** The most digits of a number that is written as it is. */
const MOST_DIGITS = 18;

/** The whole number `digits`, a text, in few characters: as a factorial, a power, a product of both, or roughly. */
export function brief(digits) {
  const text = String(digits);
  if (text.length <= MOST_DIGITS || !/^\d+$/.test(text)) return text;
  const number = BigInt(text);
  return asFactorial(number) ?? asPower(number) ?? asWreath(number) ?? `about ${text[0]}.${text.slice(1, 3)} × 10${raised(text.length - 1)}`;
}

const raised = (number) => Array.from(String(number), (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");

/** `n!`, if `number` is one for n above 3. */
function asFactorial(number) {
  let product = 1n;
  for (let n = 1n; product <= number; n += 1n) {
    product *= n;
    if (product === number && n > 3n) return `${n}!`;
  }
  return null;
}

/** `b^k` for the largest k above 1. */
function asPower(number) {
  for (let k = number.toString(2).length; k > 1; k -= 1) {
    const base = root(number, k);
    if (base > 1n && base ** BigInt(k) === number) {
      const factorial = asFactorial(base);
      return factorial ? `(${factorial})${raised(k)}` : `${brief(base)}${raised(k)}`;
    }
  }
  return null;
}

/** `b^n × n!`: so many symmetries has what is made of n parts with b symmetries each. */
function asWreath(number) {
  let product = 1n;
  let found = null;
  for (let n = 2n; product <= number; n += 1n) {
    product *= n;
    if (n < 4n || number % product !== 0n) continue;
    const rest = number / product;
    const base = root(rest, Number(n));
    if (base > 1n && base ** n === rest) found = `${asFactorial(base) ? `(${asFactorial(base)})` : base}${raised(n)} × ${n}!`;
  }
  return found;
}

/** The largest number whose `k`-th power is at most `number`. */
function root(number, k) {
  let low = 1n;
  let high = 1n << BigInt(Math.ceil(number.toString(2).length / k) + 1);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(k) <= number) low = middle;
    else high = middle;
  }
  return low;
}
