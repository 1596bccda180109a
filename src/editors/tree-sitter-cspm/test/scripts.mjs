// Parses scripts, all of this repository or those in the folders that are named. Fails if a script
// that cspsym reads without an error of syntax has an ERROR or MISSING node here.
//
//     CSPSYM=path/to/cspsym node test/scripts.mjs [FOLDER...]

import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { syntaxErrors } from "./cspsym.mjs";
import { GRAMMAR, filesWithErrors } from "./treesitter.mjs";

const LEFT_OUT = new Set(["target", "node_modules", ".git"]);

function scripts(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : scripts(path);
    return /\.(csp|cspm|fdr2?)$/.test(entry.name) ? [path] : [];
  });
}

const folders = process.argv.slice(2);
const whole = folders.length === 0;
if (whole) folders.push(resolve(GRAMMAR, "../../.."));

const files = folders.flatMap((folder) => scripts(resolve(folder)));
const refused = syntaxErrors(files);
const wrong = filesWithErrors(files);

for (const [file, errors] of refused) {
  const here = wrong.has(file) ? "an error here too" : "no error here";
  console.log(`skipped, ${here}: ${file}: ${[...new Set(errors.map((e) => e.code))].join(", ")}`);
}
const both = [...refused.keys()].filter((file) => wrong.has(file)).length;
const failed = [...wrong].filter(([file]) => !refused.has(file));
console.log(`${files.length} scripts, ${files.length - refused.size} accepted by cspsym`);
console.log(`${refused.size} refused by cspsym, ${both} of them with an error here too`);
for (const [file, line] of failed) console.log(`FAILED: ${file}: ${line}`);
console.log(`${failed.length} accepted scripts have an error here`);

// With no script refused, or no error found in those that are, nothing would be compared.
const compared = !whole || (refused.size > 20 && both > refused.size / 3);
if (!compared) console.log("FAILED: too few scripts with errors to compare with");
process.exit(failed.length > 0 || !compared ? 1 : 0);
