// The program as WebAssembly says of all shipped scripts what the program says.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM, ROOT, WASM } from "./browser.mjs";

const skip = existsSync(WASM) ? false : "the program was not built as WebAssembly";
const RUNNER = join(ROOT, "tests/web/wasi.mjs");
// Labs have assertions that students write; larger searches take long where nothing is optimised.
const scripts = readdirSync(join(ROOT, "cspm"), { recursive: true })
  .filter((name) => name.endsWith(".csp") && !name.startsWith("labs/"))
  .sort();
const OPTIONS = ["--format", "json", "--threads", "1", "--max-states", "300", "--max-leaf-states", "2000", "--timeout", "600"];

/** What a call has printed, without what differs from call to call. */
function said({ status, stdout, stderr }) {
  const lines = String(stdout).split("\n").filter(Boolean);
  const reports = lines.map((line) => {
    const { seconds, memory_bytes, ...report } = JSON.parse(line);
    return report;
  });
  return { status, reports, messages: String(stderr) };
}

describe("the program as WebAssembly", { skip }, () => {
  for (const script of scripts) {
    test(script, () => {
      const call = ["check", ...OPTIONS, join("cspm", script)];
      const native = said(spawnSync(PROGRAM, call, { cwd: ROOT }));
      const web = said(spawnSync(process.execPath, ["--no-warnings", "--stack-size=3900", RUNNER, WASM, ...call], { cwd: ROOT }));
      assert.deepEqual(web, native);
      assert.ok(native.reports.length > 0 || native.status === 0, native.messages);
    });
  }
});
