// Writes random declarations, with random spaces, line breaks and comments, keeps those that cspsym
// reads without an error of syntax, and fails if one of them has an ERROR or MISSING node here.
//
//     CSPSYM=path/to/cspsym node test/random.mjs [FILES [SEED]]

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syntaxErrors } from "./cspsym.mjs";
import { filesWithErrors } from "./treesitter.mjs";

const FILES = Number(process.argv[2] ?? 100);
// Few, so that the program prints all that is wrong with them.
const DECLARATIONS = 4;
let state = Number(process.argv[3] ?? 1) | 0;

/** A number from 0 to `n - 1`; mulberry32. */
function below(n) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
}

const one = (...list) => list[below(list.length)];
const word = () => one("a", "b", "c", "P", "Q'", "x_1", "notx", "STOP", "includes", "T", "free");

/** `make()` once to three times, with `between` in between. */
function some(make, between = ",") {
  const out = [make()].flat();
  while (below(3) === 0) out.push(between, ...[make()].flat());
  return out;
}

const any = (make) => (below(4) === 0 ? [] : some(make));

function statements(d) {
  const statement = () =>
    below(3) === 0 ? compact(d) : [...pattern(d), one("<-", ":"), ...compact(d)];
  return some(statement);
}

const guards = (d) => (below(3) === 0 ? ["|", ...statements(d)] : []);

function items(d) {
  const list = one(
    () => any(() => expression(d)),
    () => [...compact(d), ".."],
    () => [...compact(d), "..", ...compact(d)],
  );
  return [...list(), ...guards(d)];
}

function pattern(d) {
  if (d <= 0) return [one(word(), "_", "1", "'c'", '"s"', "true")];
  return one(
    () => [word()],
    () => [word()],
    () => ["_"],
    () => ["(", ...pattern(d - 1), ",", ...pattern(d - 1), ")"],
    () => ["<", ...some(() => pattern(0)), ">", "^", word()],
    () => [word(), ".", ...pattern(0)],
    () => ["{", ...pattern(0), "}"],
  )();
}

function atom(d) {
  if (d <= 0) return [one(word(), word(), "0", "42", "true", "'c'", '"-- {- \\" s"', "<>")];
  return one(
    () => [word()],
    () => ["M", "::", word()],
    () => ["(", ...expression(d - 1), ")"],
    () => ["(", ...expression(d - 1), ",", ...expression(d - 1), ")"],
    () => ["<", ...items(d - 1), ">"],
    () => ["{", ...items(d - 1), "}"],
    () => ["{|", ...any(() => expression(d - 1)), ...guards(d - 1), "|}"],
    () => ["(| ", ...any(() => [...compact(d - 1), "=>", ...compact(d - 1)]), "|)"],
  )();
}

/** An operand with what may stand behind it. */
function operand(d) {
  const out = atom(d);
  while (below(4) === 0) {
    out.push("(", ...any(() => expression(d - 1)), ")");
  }
  if (below(6) === 0) {
    const pair = () => [...compact(d - 1), "<-", ...compact(d - 1)];
    out.push("[[", ...any(pair), ...guards(d - 1), "]]");
  }
  return out;
}

const links = (d) => some(() => [...operand(d), "<->", ...operand(d)]).concat(guards(d));

function prefix(d) {
  const e = () => expression(d - 1);
  const s = () => statements(d - 1);
  return one(
    () => ["-"],
    () => ["not"],
    () => ["#"],
    () => ["if", ...e(), "then", ...e(), "else"],
    () => ["let", ...some(() => definition(d - 1), "\n"), "within"],
    () => ["\\", ...some(() => pattern(1)), "@"],
    () => [one("[]", "|~|", ";", "|||"), ...s(), "@"],
    () => ["[|", ...e(), "|]", ...s(), "@"],
    () => ["||", ...s(), "@", "[", ...e(), "]"],
    () => ["[", ...links(d - 1), "]", ...s(), "@"],
    () => ["[+", ...e(), "+]", ...s(), "@"],
  )();
}

function infix(d) {
  const e = () => expression(d - 1);
  return one(
    () => [one("+", "-", "*", "/", "%", "^")],
    () => [one("and", "or", ".")],
    () => [one("==", "!=", "<", "<=", ">", ">=")],
    () => [one("[]", "|~|", "|||", "/\\", "[>", ";")],
    () => [one("\\", "|\\", "&")],
    () => communication(d - 1),
    () => ["[|", ...e(), one("|]", "|>")],
    () => ["[", ...e(), "||", ...e(), "]"],
    () => ["[", ...links(d - 1), "]"],
    () => ["[+", ...e(), "+]"],
    () => ["/+", ...e(), "+\\"],
  )();
}

/** What may stand between the event of a prefix and its process. */
function communication(d) {
  const out = [];
  while (below(2) === 0) {
    out.push(
      ...one(
        () => ["!", ...operand(d)],
        () => ["?", ...pattern(d)],
        () => ["?", ...pattern(0), ":", ...operand(d)],
        () => ["$", word()],
        () => [".", ...operand(d)],
      )(),
    );
  }
  return [...out, "->"];
}

function row(d, most) {
  const out = [];
  for (let n = 1 + below(most); n > 0; n--) {
    if (d > 0 && below(5) === 0) out.push(...prefix(d));
    out.push(...operand(d));
    if (n > 1) out.push(...infix(d));
  }
  return out;
}

const expression = (d) => (d <= 0 ? atom(0) : row(d, 3));
const compact = (d) => (d <= 0 ? atom(0) : one(operand, (d) => row(d, 2))(d - 1));

function definition(d) {
  const head = one(
    () => [word()],
    () => [word(), "(", ...any(() => pattern(2)), ")"],
    () => [word(), "(", ...pattern(1), ")", "(", ...pattern(1), "@@", ...pattern(1), ")"],
    () => ["(", ...pattern(1), ",", ...pattern(1), ")"],
  );
  return [...head(), "=", ...expression(d)];
}

function assertion(d) {
  const e = () => expression(d - 1);
  const body = one(
    () => [...e(), one("[T=", "[F=", "[FD=", "[V=", "[VD=", "[R=", "[RD="), ...e()],
    () => [...e(), one(":[deadlock free]", ":[ divergence-free [FD] ]:", ":[deterministic[F]]")],
    () => [...e(), one(":[has trace]:", ":[has trace [FD]] "), ...e()],
    () => [...e(), ":[symmetric]:", ...any(() => [word()])],
  );
  const option = one(
    () => [],
    () => [one(":[tau priority]:", ":[tau priority over]:"), ...operand(1)],
    () => [":[partial order reduce [hybrid]]"],
    () => [":[symmetry reduce]:", ...any(() => [word()])],
    () => [":[for all]:", word(), ">=", "2"],
  );
  return ["assert", ...one([], ["not"]), ...body(), ...option()];
}

function type(d) {
  if (d <= 0) return [one("Int", "a", "Bool", "Event")];
  const t = () => type(d - 1);
  return one(
    () => ["(", ...any(t), ")", "->", ...t()],
    () => ["{", ...t(), "}"],
    () => ["<", ...t(), ">"],
    () => ["(| ", ...type(0), "=>", ...t(), "|)"],
    () => [...type(0), one("=>", "=>*", "."), ...type(0)],
  )();
}

function declaration() {
  return one(
    () => definition(3),
    () => definition(3),
    () => definition(2),
    () => assertion(2),
    () => ["print ", ...expression(2)],
    () => ["channel", ...some(() => [word()]), ...one([], [":", ...compact(2)])],
    () => ["datatype", word(), "=", ...some(() => [word(), ".", ...operand(1)], "|")],
    () => ["nametype", word(), "=", ...expression(2)],
    () => [
      ...["module", "M", "\n", ...definition(1), "\n"],
      ...["exports", "\n", ...definition(2), "\n", "endmodule"],
    ],
    () => ["Timed", ...one([], ["(", ...expression(1), ")"]), "{", ...definition(2), "}"],
    () => [word(), " :: ", ...one([], ["(", "Eq", "a", ",", "Set", "b", ")", "=>"]), ...type(2)],
    () => ["include ", '"other.csp"'],
  )();
}

/** What may stand between two tokens; `dense` texts have little. */
function gap(dense) {
  if (below(dense ? 3 : 12) > 0) return dense ? "" : " ";
  return one(" ", " ", "\n  ", " -- c [ < (\n ", " {- c {- (\n -} -} ", "\t\n\n ");
}

const isWord = (text) => /^[A-Za-z0-9_]/.test(text);

function text(tokens) {
  const dense = below(3) === 0;
  let out = "";
  tokens.forEach((token, at) => {
    const apart = at > 0 && isWord(token) && /[A-Za-z0-9_']$/.test(tokens[at - 1]);
    const scope = token === "::" || tokens[at - 1] === "::";
    if (at > 0 && !scope) out += gap(dense) + (apart ? " " : "");
    out += token;
  });
  return out;
}

const folder = mkdtempSync(join(tmpdir(), "cspm-"));
const files = [];
const declarations = new Map();
let [written, kept] = [0, 0];
for (let n = 0; n < FILES; n++) {
  const file = join(folder, `${n}.csp`);
  let all = Array.from({ length: DECLARATIONS }, () => text(declaration()));
  written += all.length;
  // A broken declaration may hide others, so what is left is asked about again.
  for (;;) {
    writeFileSync(file, all.join("\n") + "\n");
    let whole = true;
    const errors = syntaxErrors([file], () => (whole = false)).get(file);
    if (!errors && whole) break;
    let line = 1;
    const ends = all.map((one) => (line += one.split("\n").length));
    const at = (error) => ends.findIndex((end) => error.line < end);
    const broken = new Set((errors ?? []).map(at));
    const rest = all.filter((_, at) => !broken.has(at));
    all = rest.length < all.length ? rest : [];
  }
  kept += all.length;
  files.push(file);
  declarations.set(file, all);
}

const wrong = filesWithErrors(files);
for (const [file, line] of wrong) {
  console.log(`FAILED: ${file}: ${line}`);
  // Each alone, to show which one it is.
  for (const one of declarations.get(file)) {
    writeFileSync(file, one + "\n");
    if (filesWithErrors([file]).size > 0) console.log(one);
  }
}
console.log(`${written} random declarations, ${kept} accepted by cspsym`);
console.log(`${wrong.size} of ${files.length} files have an error here`);
rmSync(folder, { recursive: true });
process.exit(wrong.size > 0 || kept < written / 4 ? 1 : 0);
