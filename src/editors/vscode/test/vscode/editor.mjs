// A real VS Code for the tests: code-server, with a browser as its window.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { EXTENSION, ROOT } from "../grammar/grammar.mjs";
import { PROGRAM } from "../server/program.mjs";

/** `out/node/entry.js` of code-server, which is a VS Code that a browser shows. */
const EDITOR = process.env.CODE_SERVER ?? "";
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const lacking = !existsSync(EDITOR) ? "CODE_SERVER names no code-server" : !BROWSER ? "there is no chromium" : !existsSync(PROGRAM) ? "there is no cspsym" : null;
/** What `test` is given: without an editor, a browser and the program nothing is tested. */
export const options = { skip: lacking ?? false };
if (lacking && process.env.CI === "true") console.error(`vscode: not tested in an editor (${lacking})`);

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** How long something may take until it is there, on a machine that does much else beside. */
export const PATIENCE = 120_000;

/** What the user of the tests has set. */
const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "extensions.ignoreRecommendations": true,
  "testing.automaticallyOpenPeekView": "never",
  "editor.minimap.enabled": false,
};

/** An editor with a folder `scripts` of its own, which ends with the test. */
export async function started(context, { settings = {}, scripts = {}, environment = {}, program = PROGRAM, vsix } = {}) {
  const home = mkdtempSync(join(tmpdir(), "cspsym-vscode-"));
  const folder = join(home, "scripts");
  mkdirSync(join(home, "data/User"), { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(home, "data/User/settings.json"), JSON.stringify({ ...SETTINGS, ...settings }));
  // Where a program lies is a setting of the machine, which the user's own settings do not reach in a remote window.
  mkdirSync(join(home, "data/Machine"));
  writeFileSync(join(home, "data/Machine/settings.json"), JSON.stringify({ "cspsym.path": program }));
  writeFileSync(join(home, "config.yaml"), "");
  for (const name of ["philosophers/philosophers.csp", "hanoi/hanoi.csp"]) cpSync(join(ROOT, "cspm", name), join(folder, name.split("/")[1]));
  cpSync(join(EXTENSION, "walkthrough/tickets.csp"), join(folder, "tickets.csp"));
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), text);
  const port = await freePort();
  const common = ["--config", join(home, "config.yaml"), "--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
  const env = { ...process.env, ...environment };
  if (vsix) {
    const installed = spawnSync(process.execPath, [EDITOR, ...common, "--install-extension", vsix], { env, encoding: "utf8" });
    assert.match(installed.stdout + installed.stderr, /successfully installed/);
  }
  const more = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
  const child = spawn(process.execPath, [EDITOR, ...common, ...more], { env, stdio: ["ignore", "pipe", "pipe"] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => said.push(String(data)));
  const browser = await chromium.launch({ executablePath: BROWSER, args: ARGUMENTS });
  const opened = [];
  context.after(async () => {
    // How a window was at the end says what a test has waited for.
    for (const [index, page] of opened.entries()) await pictured(page, `end-${context.name.replace(/\W+/g, "-")}-${index}`);
    await browser.close();
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    // What runs in it may still write for a moment.
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  await answered(`http://127.0.0.1:${port}/healthz`);
  return { browser, opened, folder, home, said, url: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}` };
}

/** A window of the editor. `payload` is what an editor takes beside the folder. */
export async function windowOf({ browser, url, opened }, payload = []) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(PATIENCE);
  opened.push(page);
  page.open = () => page.goto(payload.length > 0 ? `${url}&payload=${encodeURIComponent(JSON.stringify(payload))}` : url);
  return page;
}

/** Opens a file of the folder by its name. */
export async function openFile(page, name) {
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
}

/** Calls a command of the palette by its name. */
export async function command(page, name) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input").first();
  await input.fill(`>${name}`);
  await page.locator(".quick-input-widget .monaco-list-row", { hasText: name }).first().click();
}

/** A picture of `page`, if somebody wants one. */
export async function pictured(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answered(address) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${address} does not answer`);
}
