// The action as a workflow runs it, in a repository of its own: the step that checks with the program
// `CSPSYM`, and the step that gets a program, from a server of this test.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import test from "node:test";
import { fileURLToPath } from "node:url";

const ACTION = dirname(dirname(fileURLToPath(import.meta.url)));
const PROGRAM = process.env.CSPSYM;

const SEATS = "channel look, sell : {1..2}\n";
const TICKETS = `include "parts/seats.csp"
DESK(c) = look.c -> sell.c -> STOP
BOTH = ||| c : {1..2} @ DESK(c)
assert sell?c -> STOP [T= BOTH \\ {| look |}
assert STOP [T= STOP
`;
const GOOD = "assert STOP [T= STOP\n";
const GROWS = "channel a\nP(n) = a -> P(n + 1)\nassert P(0) :[deadlock free]\n";

function run(command, words, folder, environment = {}) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", ...environment };
  const result = spawnSync(command, words, { cwd: folder, encoding: "utf8", env });
  assert.equal(result.error, undefined);
  return result;
}

/** A folder that is gone after the test. */
function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-action-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository in which files can be written and committed. */
function repository(t) {
  const folder = join(scratch(t), "repository");
  mkdirSync(folder);
  const git = (...words) => {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    const result = run("git", [...who, ...words], folder);
    assert.equal(result.status, 0, result.stderr);
    return result.stdout.trim();
  };
  git("init", "--quiet");
  const commit = (files) => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      if (text === null) rmSync(path);
      else writeFileSync(path, text);
    }
    git("add", "--all");
    git("commit", "--quiet", "--message", "change");
    return git("rev-parse", "HEAD");
  };
  return { folder, git, commit };
}

/** Runs the step that checks, as of the event, and reads what it has left. */
function step(folder, name, event, inputs = {}) {
  const place = mkdtempSync(join(dirname(folder), "step-"));
  const paths = Object.fromEntries(
    ["event", "output", "summary"].map((path) => [path, join(place, path)]),
  );
  writeFileSync(paths.event, JSON.stringify(event));
  for (const path of [paths.output, paths.summary]) writeFileSync(path, "");
  const result = run("node", [join(ACTION, "main.mjs")], folder, {
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: paths.event,
    GITHUB_OUTPUT: paths.output,
    GITHUB_STEP_SUMMARY: paths.summary,
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: place,
    CSPSYM_PROGRAM: PROGRAM,
    ...inputs,
  });
  const lines = readFileSync(paths.output, "utf8").split("\n").filter((line) => line !== "");
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return { ...result, outputs, summary: readFileSync(paths.summary, "utf8") };
}

test("a push is checked where it changed something, with annotations", (t) => {
  const { folder, commit } = repository(t);
  const before = commit({ "tickets.csp": TICKETS, "parts/seats.csp": SEATS, "good.csp": GOOD });
  commit({ "parts/seats.csp": `-- The seats.\n${SEATS}`, "README.md": "Text." });
  const result = step(folder, "push", { before });
  assert.equal(result.status, 1, result.stderr);
  assert.deepEqual(JSON.parse(result.outputs.scripts), ["tickets.csp"]);
  assert.equal(result.outputs.status, "1");
  const annotations = result.stdout.split("\n").filter((line) => line.startsWith("::error"));
  assert.equal(annotations.length, 1);
  assert.match(
    annotations[0],
    /^::error file=tickets\.csp,line=4,endLine=4,col=1,endColumn=44,title=An assertion fails::assert /,
  );
  assert.match(annotations[0], /After <sell\.\d> the implementation can do sell\.\d/);
  // The counterexample stands in the log, where nothing is a command.
  const [, inside] = result.stdout.match(/::stop-commands::(.*)\n[^]*\n::\1::\n/) ?? [];
  assert.ok(inside, result.stdout);
  assert.match(result.stdout, /3 {2}sell\.\d\n {4}4 {2}sell\.\d {3}<- not allowed here/);
  assert.match(result.summary, /^\| `tickets\.csp` \| 1 \| 1 \| 0 \| 0 \|$/m);
  assert.match(result.summary, /^- An assertion fails \(`tickets\.csp:4`\)/m);
  assert.match(readFileSync(result.outputs.junit, "utf8"), /<testsuites name="cspsym" tests="2"/);
  assert.equal(JSON.parse(readFileSync(result.outputs.sarif, "utf8")).version, "2.1.0");
});

test("a pull request that changes no script checks none", (t) => {
  const { folder, commit } = repository(t);
  const sha = commit({ "tickets.csp": TICKETS, "parts/seats.csp": SEATS });
  commit({ "README.md": "Text." });
  const result = step(folder, "pull_request", { pull_request: { base: { sha } } });
  assert.deepEqual([result.status, result.outputs.scripts, result.outputs.status], [0, "[]", ""]);
  assert.match(result.stdout, /there is nothing to check/);
});

test("a file that is gone concerns what includes it", (t) => {
  const { folder, commit } = repository(t);
  const before = commit({ "tickets.csp": TICKETS, "parts/seats.csp": SEATS, "good.csp": GOOD });
  commit({ "parts/seats.csp": null });
  const result = step(folder, "push", { before });
  assert.equal(result.status, 2, result.stderr);
  assert.deepEqual(JSON.parse(result.outputs.scripts), ["tickets.csp"]);
  assert.match(result.stdout, /^::error file=tickets\.csp,line=1,.*include-not-found/m);
});

test("where nothing is known of a change, all scripts are checked", (t) => {
  const { folder, commit } = repository(t);
  commit({ "models/good.csp": GOOD, "models/two words.csp": GOOD, "other.csp": "X = " });
  const all = step(folder, "push", { before: "0".repeat(40) });
  assert.deepEqual(JSON.parse(all.outputs.scripts), [
    "models/good.csp",
    "models/two words.csp",
    "other.csp",
  ]);
  assert.equal(all.status, 2);
  // A commit that no server has is as little known.
  const event = { before: "1".repeat(40) };
  const below = step(folder, "push", event, { CSPSYM_FOLDER: "models" });
  assert.deepEqual(JSON.parse(below.outputs.scripts), ["good.csp", "two words.csp"]);
  assert.equal(below.status, 0);
  assert.match(below.stdout, /What has changed is not known here/);
});

test("a checkout of one commit gets the one to compare with", (t) => {
  const { folder, commit, git } = repository(t);
  const before = commit({ "tickets.csp": TICKETS, "parts/seats.csp": SEATS, "good.csp": GOOD });
  commit({ "good.csp": `${GOOD}${GOOD}` });
  git("config", "uploadpack.allowAnySHA1InWant", "true");
  const shallow = join(dirname(folder), "shallow");
  const clone = ["clone", "--quiet", "--depth=1", `file://${folder}`, shallow];
  assert.equal(run("git", clone, dirname(folder)).status, 0);
  const result = step(shallow, "push", { before });
  assert.deepEqual(JSON.parse(result.outputs.scripts), ["good.csp"]);
  assert.equal(result.status, 0);
});

test("named scripts are checked, with more arguments, and fail as is said", (t) => {
  const { folder, commit } = repository(t);
  commit({ "models/tickets.csp": TICKETS.replace("parts/", "../"), "seats.csp": SEATS, "g.csp": GROWS });
  const inputs = { CSPSYM_FILES: "models/**/*.csp\n\n g.csp \n", CSPSYM_ARGUMENTS: "--explain\n--max-leaf-states=50" };
  const checked = (failOn) => step(folder, "schedule", {}, { ...inputs, CSPSYM_FAIL_ON: failOn });
  const result = checked("failure");
  assert.equal(result.status, 1);
  assert.match(result.stdout, /What each component did at each step/);
  assert.match(result.stdout, /^::warning file=g\.csp,line=3,.*growing-process/m);
  assert.match(result.stdout, /^::error file=models\/tickets\.csp,line=4,/m);
  assert.equal(checked("error").status, 0);
  assert.equal(checked("never").status, 0);
  const only = { ...inputs, CSPSYM_FILES: "g.csp" };
  assert.equal(step(folder, "schedule", {}, only).status, 3);
  assert.equal(step(folder, "schedule", {}, { ...only, CSPSYM_FAIL_ON: "failure" }).status, 0);
  const wrong = checked("sometimes");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stdout, /^::error title=cspsym::`fail-on` is one of/m);
});

test("all that is left has paths from the top, where the program ran in a folder", (t) => {
  const { folder, commit } = repository(t);
  commit({ "my models/tickets.csp": TICKETS, "my models/parts/seats.csp": SEATS, "x.csp": "X = " });
  const inputs = { CSPSYM_FOLDER: "my models", CSPSYM_FILES: "tickets.csp\n../x.csp" };
  const result = step(folder, "schedule", {}, inputs);
  assert.match(result.stdout, /^::error file=my models\/tickets\.csp,line=4,/m);
  const { runs } = JSON.parse(readFileSync(result.outputs.sarif, "utf8"));
  const uris = runs[0].results.map(
    ({ locations }) => locations[0].physicalLocation.artifactLocation.uri,
  );
  assert.deepEqual(uris.sort(), ["my%20models/tickets.csp", "x.csp"]);
});

test("what makes the step fail is an error, whatever it is", (t) => {
  const { folder, commit } = repository(t);
  commit({
    "fails.csp": "assert CHAOS({}) [F= STOP\nassert SKIP [T= STOP\nassert STOP [T= SKIP\n",
    "grows.csp": GROWS,
    "print.csp": `print head(<>)\n${GOOD}`,
    "run.csp": "channel a : {1..2}\nassert STOP [T= a!5 -> STOP\n",
    "syntax.csp": "X = ",
    "type.csp": "X = STOP + 1\n",
    "lacks.csp": 'include "nowhere.csp"\n',
    "name.csp": "X = Y\n",
    "bytes.csp": "\u0000\n",
  });
  const kinds = {
    "fails.csp": [1, /title=An assertion fails::assert STOP \[T= SKIP/],
    "grows.csp": [3, /title=An assertion is undecided::.*`fail-on: failure`/],
    "print.csp": [2, /title=A mistake::.*empty-sequence/],
    "run.csp": [2, /title=A mistake::.*field-value/],
    "syntax.csp": [2, /title=A mistake::.*syntax/],
    "type.csp": [2, /title=A mistake::/],
    "lacks.csp": [2, /title=A mistake::.*include-not-found/],
    "name.csp": [2, /title=A mistake::.*unknown-name/],
    "bytes.csp": [2, /title=A mistake::/],
    "nowhere.csp": [2, /title=A mistake::.*unreadable-file/],
  };
  for (const [file, [status, message]] of Object.entries(kinds)) {
    const inputs = { CSPSYM_FILES: file, CSPSYM_ARGUMENTS: "--max-leaf-states=50" };
    const result = step(folder, "schedule", {}, inputs);
    assert.equal(result.status, status, `${file}: ${result.stdout}`);
    const errors = result.stdout.split("\n").filter((line) => line.startsWith("::error "));
    assert.match(errors.join("\n"), message, `${file}: ${result.stdout}`);
    assert.match(result.summary, /^- (An assertion|A mistake)/m, file);
  }
  const both = { CSPSYM_FILES: "grows.csp\nsyntax.csp", CSPSYM_ARGUMENTS: "--max-leaf-states=50" };
  const { stdout, summary } = step(folder, "schedule", {}, both);
  assert.match(summary, /^\| `grows\.csp` \| 0 \| 0 \| 1 \| 0 \|$/m);
  assert.match(summary, /^\| `syntax\.csp` \| 0 \| 0 \| 0 \| 1 \|$/m);
  // The messages of the program are no command either, and stand in the log.
  const [, inside] = stdout.match(/::stop-commands::.*\n([^]*)\n::[-0-9a-f]+::\n/) ?? [];
  assert.match(inside, /^error\[syntax\]: /m);
});

test("a call that is wrong leaves no results, and says so", (t) => {
  const { folder, commit } = repository(t);
  commit({ "good.csp": GOOD });
  const inputs = { CSPSYM_FILES: "good.csp", CSPSYM_ARGUMENTS: "--no-such-option", CSPSYM_FAIL_ON: "never" };
  const result = step(folder, "schedule", {}, inputs);
  assert.equal(result.status, 2);
  const told = /^::error title=cspsym::cspsym check has left no results and ended with 2%0A(.*)/m;
  assert.match(result.stdout.match(told)?.[1], /^error.*no-such-option/);
  const missing = step(folder, "schedule", {}, { CSPSYM_PROGRAM: "/nowhere/cspsym" });
  assert.equal(missing.status, 2);
  assert.match(missing.stdout, /^::error title=cspsym::`\/nowhere\/cspsym api` fails: .*ENOENT/m);
});

/** Runs the step that gets a program, and reads its output. */
async function get(folder, environment, cwd = folder) {
  const output = join(folder, "output");
  writeFileSync(output, "");
  const env = {
    ...process.env,
    CSPSYM_PROGRAM: "",
    CSPSYM_VERSION: "",
    CSPSYM_REF: "",
    CSPSYM_REPOSITORY: "owner/cspsym",
    GITHUB_OUTPUT: output,
    RUNNER_TEMP: folder,
    RUNNER_OS: "Linux",
    RUNNER_ARCH: "ARM64",
    ...environment,
  };
  const child = spawn("bash", [join(ACTION, "get.sh")], { cwd, env });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, said, output: readFileSync(output, "utf8") };
}

test("the program that is given is taken", async (t) => {
  const folder = scratch(t);
  const given = await get(folder, { CSPSYM_PROGRAM: PROGRAM });
  assert.deepEqual([given.status, given.output], [0, `program=${PROGRAM}\n`], given.said);
  const missing = await get(folder, { CSPSYM_PROGRAM: "/nowhere/cspsym" });
  assert.deepEqual([missing.status, missing.output], [2, ""]);
  assert.match(missing.said, /^::error title=cspsym::There is no program/m);
  const broken = join(folder, "broken");
  writeFileSync(broken, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const silent = await get(folder, { CSPSYM_PROGRAM: broken });
  assert.deepEqual([silent.status, silent.output], [2, ""]);
  assert.match(silent.said, /^::error title=cspsym::The program `.*broken` does not run here: give /m);
});

test("a program that is given from where the step is can be called from elsewhere", async (t) => {
  const folder = realpathSync(scratch(t));
  for (const name of ["bin", "work"]) mkdirSync(join(folder, name));
  const program = '#!/bin/sh\necho "cspsym 1.2.3"\n';
  writeFileSync(join(folder, "bin", "cspsym"), program, { mode: 0o755 });
  const work = join(folder, "work");
  const given = [
    { CSPSYM_PROGRAM: "../bin/cspsym" },
    { CSPSYM_PROGRAM: "cspsym", PATH: `../bin:${process.env.PATH}` },
  ];
  for (const environment of given) {
    const { status, said, output } = await get(folder, environment, work);
    assert.deepEqual([status, output], [0, `program=${work}/../bin/cspsym\n`], said);
  }
});

test("the release of the tag is downloaded, if it is what it should be", async (t) => {
  const folder = scratch(t);
  const name = "cspsym-1.2.3-aarch64-unknown-linux-gnu";
  mkdirSync(join(folder, name, "bin"), { recursive: true });
  const program = '#!/bin/sh\necho "cspsym 1.2.3"\n';
  writeFileSync(join(folder, name, "bin", "cspsym"), program, { mode: 0o755 });
  assert.equal(run("tar", ["-czf", "archive", name], folder).status, 0);
  const archive = readFileSync(join(folder, "archive"));
  let sum = createHash("sha256").update(archive).digest("hex");
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const last = request.url.split("/").at(-1);
    if (last === `${name}.tar.gz`) response.end(archive);
    else if (last === `${name}.tar.gz.sha256`) response.end(`${sum}  ${name}.tar.gz\n`);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const where = `http://127.0.0.1:${server.address().port}`;
  const environment = { GITHUB_SERVER_URL: where, CSPSYM_REF: "v1.2.3" };
  const got = await get(folder, environment);
  assert.equal(got.status, 0, got.said);
  assert.equal(got.output, `program=${join(folder, "cspsym", name, "bin", "cspsym")}\n`);
  assert.match(got.said, /cspsym 1\.2\.3/);
  assert.equal(asked[0], `/owner/cspsym/releases/download/v1.2.3/${name}.tar.gz`);
  const named = await get(folder, { ...environment, CSPSYM_REF: "main", CSPSYM_VERSION: "v1.2.3" });
  assert.equal(named.status, 0, named.said);
  sum = "0".repeat(64);
  const wrong = await get(folder, environment);
  assert.deepEqual([wrong.status, wrong.output], [2, ""]);
  assert.match(wrong.said, /^::error title=cspsym::`cspsym-1\.2\.3-.*` is not what its SHA-256 is of: /m);
  // There is no such release, so this says where it was looked for.
  for (const ref of ["v1.2.4", "v1.2.3-rc1", "v1.2.3-beta.2"]) {
    const none = await get(folder, { ...environment, CSPSYM_REF: ref });
    assert.deepEqual([none.status, none.output], [2, ""], none.said);
    const told = /^::error title=cspsym::`.*\/(.*)\/cspsym-.*` cannot be downloaded: give /m;
    assert.equal(none.said.match(told)?.[1], ref, none.said);
  }
  const elsewhere = await get(folder, { ...environment, RUNNER_ARCH: "S390X" });
  assert.equal(elsewhere.status, 2);
  assert.match(elsewhere.said, /There is no release for Linux on S390X/);
});
