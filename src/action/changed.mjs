// The files that a push, a pull request or an entry of a merge queue has changed, told by git.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The result of git in `folder`, or null if it fails. */
function git(folder, ...words) {
  const run = spawnSync("git", words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  return run.status === 0 ? run.stdout : null;
}

/** The commit that an event compares with, or null if it has none. */
export function base(name, event) {
  const commit = {
    pull_request: event.pull_request?.base?.sha,
    pull_request_target: event.pull_request?.base?.sha,
    merge_group: event.merge_group?.base_sha,
    push: event.before,
  }[name];
  // A branch that is new was nowhere before, which is written in zeros.
  return commit && !/^0+$/.test(commit) ? commit : null;
}

/**
 * The files that have changed, as paths from the top of the repository at `workspace`, those too
 * that are gone. Null if this is not known: of other events, of new branches, and where git does not
 * get the commit to compare with.
 */
export function changedFiles(workspace, environment) {
  const path = environment.GITHUB_EVENT_PATH;
  if (!path) return null;
  const from = base(environment.GITHUB_EVENT_NAME, JSON.parse(readFileSync(path, "utf8")));
  if (from === null) return null;
  if (git(workspace, "cat-file", "-e", `${from}^{commit}`) === null) {
    // A checkout has the last commit alone, unless it is asked for more.
    git(workspace, "fetch", "--quiet", "--no-tags", "--depth=1", "origin", from);
  }
  // A file with a new name is one that is gone and one that is new.
  const names = git(workspace, "diff", "--name-only", "--no-renames", "-z", from, "HEAD");
  return names === null ? null : names.split("\0").filter((name) => name !== "");
}
