// What the program itself says of scripts: where it finds errors of syntax.

import { spawnSync } from "node:child_process";

const CSPSYM = process.env.CSPSYM ?? "cspsym";

/** The codes of messages that lexer and parser give. All other messages are about meaning. */
const SYNTAX = new Set(
  `ambiguous-parallel ambiguous-pattern bad-character bad-definition bad-symmetric-type
   chained-comparison chained-double-pattern chained-restriction dot-after-set
   double-pattern-in-field empty-type file-too-large integer-too-large mismatched-bracket
   misplaced-colon misplaced-declaration misplaced-double-pattern misplaced-wildcard missing-arrow
   missing-exports not-a-pattern not-utf-8 repeated-option rich-text-file stray-module-part syntax
   unclosed-bracket unclosed-comment unclosed-let unclosed-module unclosed-string
   unknown-character unknown-model unknown-property`.split(/\s+/),
);

/**
 * For each of `files` that has errors of syntax: their codes and lines. The program prints no more
 * than 50 messages, so a file of many errors may seem to have none of syntax; `cut` is called with
 * each such file.
 */
export function syntaxErrors(files, cut = () => {}) {
  const found = new Map();
  // One run for each script: a script that cannot be read at all ends the run.
  for (const file of files) {
    const run = spawnSync(CSPSYM, ["typecheck", "--format", "json", file], { encoding: "utf8" });
    if (run.error) throw new Error(`${CSPSYM} does not start; set CSPSYM: ${run.error.message}`);
    for (const line of run.stdout.split("\n").filter((line) => line.startsWith("{"))) {
      const { code, places } = JSON.parse(line);
      if (code === "more-errors") cut(file);
      // An error in an included file says nothing about this one.
      const here = places.find((place) => place.file === file);
      if (!SYNTAX.has(code) || (places.length > 0 && !here)) continue;
      if (!found.has(file)) found.set(file, []);
      found.get(file).push({ code, line: here?.line ?? 1 });
    }
  }
  return found;
}
