// Fails unless the generated files are what `npm run generate` makes of grammar.js.

import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { GRAMMAR } from "./treesitter.mjs";

const folder = mkdtempSync(join(tmpdir(), "cspm-"));
for (const name of ["grammar.js", "tree-sitter.json"]) {
  cpSync(join(GRAMMAR, name), join(folder, name));
}
const run = spawnSync(process.env.TREE_SITTER ?? "tree-sitter", ["generate", "--abi", "14"], {
  cwd: folder,
  encoding: "utf8",
});
if (run.status !== 0) throw new Error(run.error?.message ?? run.stderr);

const made = readdirSync(join(folder, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));
const text = (...path) => {
  try {
    return readFileSync(join(...path), "utf8");
  } catch {
    return null;
  }
};
const stale = made.filter((path) => text(folder, path) !== text(GRAMMAR, path));
rmSync(folder, { recursive: true });
for (const path of stale) console.log(`FAILED: ${path} is stale: run \`npm run generate\``);
console.log(`${made.length} generated files, ${stale.length} stale`);
process.exit(stale.length > 0 || made.length < 3 ? 1 : 0);
