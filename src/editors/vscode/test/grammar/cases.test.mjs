// Small scripts, and what each of their words is: UPDATE_EXPECTED=1 writes that anew.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXTENSION, loaded, tokens } from "./grammar.mjs";

const FOLDER = join(EXTENSION, "test/grammar/cases");
const grammar = await loaded();

/** Each line, and below it its words with their scopes. */
function shown(text) {
  const lines = text.trimEnd().split("\n");
  const read = tokens(grammar, lines.join("\n"));
  return lines.map((line, at) => {
    const words = read[at].filter(({ start, end }) => line.slice(start, end).trim() !== "");
    const width = Math.max(0, ...words.map(({ start, end }) => end - start));
    const told = words.map(({ start, end, scopes }) => `    ${line.slice(start, end).padEnd(width)}  ${scopes.join(" ") || "-"}`);
    return [`| ${line}`.trimEnd(), ...told, ""].join("\n");
  }).join("");
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".csp"))) {
  test(`the words of ${file}`, () => {
    const expected = join(FOLDER, file.replace(/csp$/, "scopes"));
    const found = shown(readFileSync(join(FOLDER, file), "utf8"));
    if (process.env.UPDATE_EXPECTED) writeFileSync(expected, found);
    assert.equal(found, readFileSync(expected, "utf8"));
  });
}
