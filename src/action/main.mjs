// The step of the action that checks: finds the scripts, calls the program, and tells what it found.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";

import { affected } from "./affected.mjs";
import { annotation } from "./annotations.mjs";
import { changedFiles } from "./changed.mjs";
import { findings, firstError, fromTop, outcome, unsaid, FAIL_ON } from "./findings.mjs";
import { summary } from "./summary.mjs";

/** The exit status of a call that is wrong, as that of the program. */
const WRONG_CALL = 2;

/** The lines of an input, without empty ones. */
function lines(text) {
  return (text ?? "").split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
}

/** Sets an output of the step. None has line breaks. */
function output(name, value) {
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

function fail(message) {
  console.log(annotation({ level: "error", title: "cspsym", message }));
  process.exit(WRONG_CALL);
}

/** The scripts to check, as they are called from `folder`. */
function scripts(program, folder, workspace) {
  const named = lines(process.env.CSPSYM_FILES);
  if (named.length > 0) return named;
  const changed = changedFiles(workspace, process.env);
  if (changed === null) {
    console.log("What has changed is not known here: all scripts are checked.");
  }
  return affected(program, folder, workspace, changed);
}

/** Calls the program in `folder`, and shows at once what it says. The result has its messages. */
function call(program, words, folder) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, stdio: ["inherit", "inherit", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
      // In the stream of the commands: the runner keeps no order between two.
      process.stdout.write(text);
    });
    child.on("error", (error) => resolve({ error }));
    child.on("close", (status, signal) => resolve({ status, signal, said }));
  });
}

/** Calls the program on the scripts, and tells what it found. The result is its exit status. */
async function check(program, folder, workspace, files, failOn) {
  const results = join(process.env.RUNNER_TEMP ?? folder, "cspsym-results");
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const [sarif, junit] = ["cspsym.sarif", "cspsym.xml"].map((name) => join(results, name));
  const given = lines(process.env.CSPSYM_ARGUMENTS);
  const words = ["check", "--sarif", sarif, "--junit", junit, ...given, "--", ...files];
  // What a script prints is no command to the runner.
  const token = randomUUID();
  console.log(`::stop-commands::${token}`);
  const run = await call(program, words, folder);
  console.log(`\n::${token}::`);
  if (run.error) fail(`\`${program}\` cannot be called: ${run.error.message}`);
  const end = run.status ?? run.signal;
  output("status", run.status ?? "");
  const read = (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return null;
    }
  };
  const [found, verdicts] = [read(sarif), read(junit)];
  if (found === null || verdicts === null) {
    fail(`cspsym check has left no results and ended with ${end}\n${firstError(run.said)}`.trim());
  }
  // Whoever takes the file looks for the scripts from the top of the repository.
  const document = fromTop(found, relative(workspace, folder));
  writeFileSync(sarif, `${JSON.stringify(document, null, 2)}\n`);
  output("sarif", sarif);
  output("junit", junit);
  const known = findings(document);
  // First, as only ten errors of a step are shown.
  const all = [...unsaid(known, end, failOn, run.said), ...known];
  for (const finding of all) console.log(annotation(finding));
  if (process.env.GITHUB_STEP_SUMMARY) {
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, summary(verdicts, all));
  }
  return run.status;
}

/** The whole step. Its exit status is what `fail-on` makes of that of the program. */
async function step() {
  const failOn = process.env.CSPSYM_FAIL_ON || "undecided";
  if (!FAIL_ON.includes(failOn)) {
    fail(`\`fail-on\` is one of ${FAIL_ON.join(", ")}, not \`${failOn}\``);
  }
  const workspace = resolve(process.env.GITHUB_WORKSPACE ?? ".");
  const folder = resolve(workspace, process.env.CSPSYM_FOLDER || ".");
  const program = process.env.CSPSYM_PROGRAM || "cspsym";
  const files = scripts(program, folder, workspace);
  output("scripts", JSON.stringify(files));
  if (files.length === 0) {
    console.log("No script is concerned: there is nothing to check.");
    output("status", "");
    return 0;
  }
  console.log(`Scripts to check: ${files.join(", ")}`);
  return outcome(await check(program, folder, workspace, files, failOn), failOn);
}

try {
  process.exitCode = await step();
} catch (error) {
  fail(error.message);
}
