// The extension in a real VS Code, by the editor's own interface: what is asked is in suite/.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { EXTENSION } from "../grammar/grammar.mjs";
import { PATIENCE, options, started, windowOf } from "./editor.mjs";

test("the extension in an editor", options, async (context) => {
  const outfile = join(EXTENSION, "out/suite/index.js");
  const entry = join(EXTENSION, "test/vscode/suite/index.ts");
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", external: ["vscode"], outfile, logLevel: "warning" });
  const scripts = JSON.parse(readFileSync(join(EXTENSION, "test/vscode/suite/scripts.json"), "utf8"));
  const told = mkdtempSync(join(tmpdir(), "cspsym-suite-"));
  context.after(() => rmSync(told, { recursive: true }));
  const results = join(told, "results");
  const editor = await started(context, { scripts, environment: { CSPSYM_RESULTS: results } });
  const page = await windowOf(editor, [
    ["extensionDevelopmentPath", `vscode-remote://${new URL(editor.url).host}${EXTENSION}`],
    ["extensionTestsPath", `vscode-remote://${new URL(editor.url).host}${outfile}`],
    ["skipWelcome", "true"],
  ]);
  const ended = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`the tests do not end:\n${said()}\n${editor.said.join("")}`)), 5 * PATIENCE / 2).unref();
    void page.exposeFunction("codeAutomationExit", resolve);
  });
  const said = () => (existsSync(results) ? readFileSync(results, "utf8").trim() : "");
  await page.open();
  await ended;
  assert.notEqual(said(), "", "no test has said anything");
  for (const { name, problem } of said().split("\n").map((line) => JSON.parse(line))) {
    await context.test(name, () => assert.equal(problem, null));
  }
});
