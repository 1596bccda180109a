// What the tests of pages share: the program, a browser, served pages, and what everybody can use.
import { after, before } from "node:test";
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

/** Collects in `page.complaints` what `page` says on the console is an error. */
export function listened(page) {
  page.complaints = [];
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
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
