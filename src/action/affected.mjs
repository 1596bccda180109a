// The scripts that a change is about: those that were changed, and those that include what was.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** The endings of scripts. */
const SCRIPT = /\.(csp|cspm|fdr)$/;

/** The scripts in `folder` that git knows, as paths from there. */
function tracked(folder) {
  const run = spawnSync("git", ["ls-files", "-z"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(`git ls-files: ${run.stderr || run.error?.message}`);
  const names = run.stdout.split("\0").filter((name) => SCRIPT.test(name));
  return names.filter((name) => existsSync(join(folder, name)));
}

/** For each script the files that reading it takes, itself first, and what is missing. */
function read(program, folder, scripts) {
  const requests = scripts.map((file, id) => JSON.stringify({ id, method: "problems", file }));
  const run = spawnSync(program, ["api"], {
    cwd: folder,
    encoding: "utf8",
    input: requests.map((request) => `${request}\n`).join(""),
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) {
    throw new Error(`\`${program} api\` fails: ${run.stderr || run.error?.message}`);
  }
  const texts = new Map();
  for (const line of run.stdout.split("\n").filter((line) => line !== "")) {
    const answer = JSON.parse(line);
    const lacks = (answer.problems ?? []).some(({ code }) => code === "include-not-found");
    texts.set(scripts[answer.id], { files: answer.result?.files ?? [], lacks });
  }
  return texts;
}

/**
 * The scripts to check, of those whose `texts` are given by name: each that has a file of `changed`,
 * or lacks one if `isGone`; without `changed` all. A script that another one of them includes is
 * checked as a part of that one.
 */
export function concerned(texts, changed, isGone) {
  const names = [...texts.keys()].filter((name) => {
    const { files, lacks } = texts.get(name);
    return changed === null || (isGone && lacks) || [name, ...files].some((file) => changed.has(file));
  });
  const includes = (one, other) => texts.get(one).files.includes(other);
  // Of scripts that include each other the first one is checked.
  const isPart = (name) =>
    names.some(
      (other) =>
        other !== name && includes(other, name) && (!includes(name, other) || other < name),
    );
  return names.filter((name) => !isPart(name)).sort();
}

/**
 * The scripts in `folder` to check, as paths from there, if the files `changed` of the repository at
 * `workspace` have changed; null stands for all.
 */
export function affected(program, folder, workspace, changed) {
  const scripts = tracked(folder);
  if (scripts.length === 0) return [];
  const here = (name) => relative(folder, resolve(folder, name)).replaceAll("\\", "/");
  const texts = new Map();
  for (const [name, { files, lacks }] of read(program, folder, scripts)) {
    texts.set(name, { files: files.map(here), lacks });
  }
  if (changed === null) return concerned(texts, null, false);
  const paths = changed.map((name) => resolve(workspace, name));
  const isGone = paths.some((path) => !existsSync(path));
  return concerned(texts, new Set(paths.map((path) => here(path))), isGone);
}
