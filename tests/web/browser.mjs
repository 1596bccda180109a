// What the tests of pages share: the program, a browser, served pages, and what everybody can use.
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const PROGRAM = process.env.CSPSYM ?? join(ROOT, "target/release/cspsym");
/** The program as WebAssembly, as cargo builds it. */
export const WASM = process.env.CSPSYM_WASM ?? join(dirname(PROGRAM), "../wasm32-wasip1/release/cspsym.wasm");
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

if (!BROWSER && process.env.CI === "true") throw new Error("there is no chromium to test the page with");
/** What `describe` is given: without a browser nothing is tested. */
export const options = { skip: BROWSER ? false : "there is no chromium" };

/** A browser for the tests of this `describe`: `chrome.browser` once they run. */
export function launched() {
  const chrome = {};
  before(async () => {
    chrome.browser = await chromium.launch({ executablePath: BROWSER, args: ARGUMENTS });
  });
  after(() => chrome.browser?.close());
  return chrome;
}

/** The address of a server for `script`, which ends with the test. */
export async function served(context, script, ...more) {
  const child = spawn(PROGRAM, ["explore", script, "--no-open", ...more], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => child.kill());
  const [first] = await once(child.stdout, "data");
  return String(first).trim();
}

/** How many milliseconds something may take until it is there, on a machine that does much else beside. */
const PATIENCE = 120_000;

/** Collects in `page.complaints` the errors and warnings that `page` says on the console. */
export function listened(page) {
  page.complaints = [];
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  return page;
}

/** The page at `address`, opened anew, once its assertions are there. */
export async function opened({ browser }, address, look = {}) {
  const page = listened(await browser.newPage({ viewport: { width: 1280, height: 800 }, ...look }));
  await page.goto(address);
  await page.getByRole("button", { name: "Check assertion 1", exact: true }).waitFor();
  return page;
}

/** Decides all assertions of the philosophers on `page`, and steps to their deadlock. */
export async function atDeadlock(page) {
  await page.getByRole("button", { name: "Check all" }).click();
  await page.getByText("6 hold, 3 fail").waitFor();
  const deadlock = page.getByRole("listitem").filter({ hasText: "PLAIN :[deadlock free [F]]" });
  await deadlock.getByRole("button", { name: "Step through it" }).click();
  await page.getByText("Nothing can happen: deadlock.").waitFor();
  await page.getByText("They wait for each other:").waitFor();
}

/** Looks at everything in `page`, a script with several assertions, without letting its policy pass anything. */
export async function toured(page) {
  await page.evaluate(() => {
    globalThis.broken = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.broken.push(`${event.effectiveDirective}: ${event.sourceFile}:${event.lineNumber}`));
  });
  const tab = (name) => page.getByRole("tab", { name }).click();
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  await atDeadlock(page);
  await page.getByLabel("operators").check();
  await page.getByLabel("Event", { exact: true }).fill("pick.0.1");
  await press("Ask");
  await page.getByText("cannot happen now.").waitFor();
  await tab("Graph");
  await press("Draw");
  await page.getByText("Save as").waitFor();
  await press("Enlarge (+)");
  const [saved] = await Promise.all([page.waitForEvent("download"), press("PNG")]);
  assert.match(saved.suggestedFilename(), /\.png$/);
  await press("Find orbits");
  await press("Fold");
  await tab("Structure");
  await press("Compile");
  await page.getByRole("img", { name: /^The machine of/ }).waitFor();
  await page.getByRole("radio", { name: "channels" }).check();
  await page.getByRole("img", { name: /^The channels of/ }).waitFor();
  await tab("Symmetry");
  await press("Find symmetries");
  await page.getByRole("heading", { name: "Orbits of leaves" }).waitFor();
  await press("Show both tracks");
  await press("Try small changes");
  await page.getByText("The script as it is:").waitFor();
  await tab("Game");
  await page.getByRole("region", { name: "Rules" }).waitFor();
  for (const name of ["Link", "Open a link", "Help"]) {
    await press(name);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
  }
  assert.deepEqual(await page.evaluate(() => globalThis.broken), []);
}

/** What axe-core says that not everybody can use in `page`, which must allow scripts of others. */
export async function violations(page) {
  await page.evaluate(AXE);
  // The editor is CodeMirror's own.
  const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: [{ fromShadowDom: [".editor", ".cm-scroller"] }] }));
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`);
}

/** Where screenshots go that somebody wants to look at. */
export const PICTURES = process.env.PICTURES;

/** A picture of the whole of `page`, if somebody wants one. */
export async function pictured(page, name) {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
