// Runs the command line tool of Tree-sitter on the grammar of this folder.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const GRAMMAR = fileURLToPath(new URL("..", import.meta.url));
const TREE_SITTER = process.env.TREE_SITTER ?? "tree-sitter";

export function treeSitter(...args) {
  const run = spawnSync(TREE_SITTER, args, {
    cwd: GRAMMAR,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (run.error) throw new Error(`${TREE_SITTER} does not start: ${run.error.message}`);
  return run;
}

/** The lines about those of `files` whose trees have ERROR or MISSING nodes, by file. */
export function filesWithErrors(files) {
  const folder = mkdtempSync(join(tmpdir(), "cspm-"));
  const list = join(folder, "files");
  writeFileSync(list, files.join("\n"));
  const run = treeSitter("parse", "--quiet", "--paths", list);
  rmSync(folder, { recursive: true });
  const known = new Set(files);
  const wrong = new Map();
  for (const line of run.stdout.split("\n").filter((line) => line.includes("("))) {
    const file = line.split("\t")[0].trim();
    if (known.has(file)) wrong.set(file, line.slice(line.indexOf("(")));
  }
  // The tool fails if and only if one of the trees is wrong.
  if ((run.status === 0) !== (wrong.size === 0)) throw new Error(run.stdout + run.stderr);
  return wrong;
}
