// What symmetries do, on the page of `cspsym explore`: orbit cards, moved walks, and graphs that are folded.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = process.env.CSPSYM ?? join(ROOT, "target/release/cspsym");
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HANOI = "cspm/hanoi/hanoi.csp";

if (!BROWSER && process.env.CI === "true") throw new Error("there is no chromium to test the page with");
const options = { skip: BROWSER ? false : "there is no chromium" };

/** The address of a server for `script`, which ends with the test. */
async function served(context, script) {
  const child = spawn(PROGRAM, ["explore", script, "--no-open"], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => child.kill());
  const [first] = await once(child.stdout, "data");
  return String(first).trim();
}

/** The page at `address`, opened anew; what it says on the console is an error. */
async function opened(browser, address, look = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...look });
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.goto(address);
  await page.getByRole("button", { name: "Check assertion 1", exact: true }).waitFor();
  return page;
}

/** A walk of `process` through the choices with these names, and then the view of symmetries. */
async function symmetryOf(page, process, steps) {
  await page.getByRole("tab", { name: "Step" }).click();
  await page.getByLabel("Process").fill(process);
  await page.getByRole("button", { name: "Walk" }).click();
  await page.getByText("at the start", { exact: true }).waitFor();
  const choices = page.getByRole("region", { name: "What can happen next" });
  for (const [index, step] of steps.entries()) {
    await choices.getByRole("button", { name: step }).click();
    await page.getByText(`after ${index + 1} step${index === 0 ? "" : "s"}`, { exact: true }).waitFor();
  }
  await page.getByRole("tab", { name: "Symmetry" }).click();
  const orbit = page.getByRole("region", { name: "Orbit", exact: true });
  await orbit.getByRole("group", { name: "The state of the walk" }).waitFor();
  return orbit;
}

/** The graph of HANOI, and its orbits. */
async function foldOf(page, fixesStart = false) {
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.getByLabel("Process").fill("HANOI");
  await page.getByRole("button", { name: "Draw" }).click();
  const fold = page.getByRole("region", { name: "Fold by symmetry" });
  await fold.waitFor();
  if (fixesStart) await fold.getByLabel("that fix the start").check();
  await fold.getByRole("button", { name: "Find orbits" }).click();
  await fold.getByRole("button", { name: "Fold", exact: true }).waitFor();
  return fold;
}

/** At how many different places the drawing has nodes. */
const differentPlaces = (fold) =>
  fold.locator("circle").evaluateAll((all) => new Set(all.map((c) => `${Number(c.getAttribute("cx")).toFixed(2)} ${Number(c.getAttribute("cy")).toFixed(2)}`)).size);

/** Where screenshots are kept, if they are asked for. */
async function pictured(page, name) {
  if (!process.env.PICTURES) return;
  mkdirSync(process.env.PICTURES, { recursive: true });
  await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), fullPage: true });
}

describe("symmetry on the page", options, () => {
  let browser;
  before(async () => {
    const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
    browser = await chromium.launch({ executablePath: BROWSER, args: args.split(" ") });
  });
  after(() => browser?.close());

  test("shows the orbit of a state, its stabiliser and its representative", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(browser, address);
    await page.getByRole("tab", { name: "Symmetry" }).click();
    await page.getByText("Begin a walk in the view").waitFor();
    const orbit = await symmetryOf(page, "HANOI", []);
    await orbit.getByText("6 = 3 images × 2").waitFor();
    assert.equal(await orbit.getByRole("listitem").count(), 2, "a card for each other image");
    assert.equal(await orbit.getByText("representative", { exact: true }).count(), 1);
    assert.equal(await orbit.getByText("moves the start").count(), 2);
    await orbit.getByLabel("only symmetries that fix the start").check();
    await orbit.getByText("2 = 1 image × 2").waitFor();
    assert.equal(await orbit.getByRole("listitem").count(), 0);
    assert.deepEqual(page.complaints, []);
  });

  test("moves a walk by a permutation, and says where that moves the start", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(browser, address);
    const orbit = await symmetryOf(page, "HANOI", ["move.1.A.B", "move.2.A.C"]);
    await orbit.getByText("6 = 6 images × 1").waitFor();
    await orbit.getByRole("button", { name: "Apply (B C)", exact: true }).click();
    await orbit.getByText("fixes the start").waitFor();
    await orbit.getByText("move.1.A.B becomes move.1.A.C").waitFor();
    await page.getByRole("tab", { name: "Step" }).click();
    await page.getByRole("button", { name: "move.2.A.B", exact: true }).waitFor();
    await page.getByRole("tab", { name: "Symmetry" }).click();
    await orbit.getByLabel("Move the walk by").fill("(A B)");
    await orbit.getByRole("button", { name: "Apply", exact: true }).click();
    await orbit.getByText("the moved run is one of the moved process").waitFor();
    await orbit.getByLabel("Move the walk by").fill("(A 1)");
    await orbit.getByRole("button", { name: "Apply", exact: true }).click();
    await orbit.locator(".notice.bad").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("folds 27 states into 5 orbits, or 14 if the start has to stay, and unfolds them again", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(browser, address);
    const fold = await foldOf(page);
    await fold.getByText("27 states in 5 orbits").first().waitFor();
    assert.equal(await differentPlaces(fold), 27);
    await fold.getByRole("button", { name: "Fold", exact: true }).click();
    await page.waitForFunction(() => new Set([...document.querySelectorAll(".folding circle")].map((c) => c.getAttribute("cx"))).size <= 5);
    assert.equal(await differentPlaces(fold), 5);
    await fold.getByRole("img", { name: "27 states in 5 orbits, folded onto representatives" }).waitFor();
    await fold.getByRole("button", { name: "Unfold" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".folding text").length === 27);
    assert.equal(await differentPlaces(fold), 27);
    await fold.getByLabel("that fix the start").check();
    await fold.getByRole("button", { name: "Find orbits" }).click();
    await fold.getByText("27 states in 14 orbits").first().waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("folds at once for those who want no motion", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(browser, address, { reducedMotion: "reduce" });
    const fold = await foldOf(page);
    await page.evaluate(() => {
      globalThis.seen = new Set();
      new MutationObserver(() => globalThis.seen.add(document.querySelector(".folding circle").getAttribute("cx"))).observe(document.querySelector(".folding"), { subtree: true, attributes: true });
    });
    await fold.getByRole("button", { name: "Fold", exact: true }).click();
    await fold.getByRole("button", { name: "Unfold" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".folding text").length === 5);
    assert.equal(await differentPlaces(fold), 5);
    assert.ok((await page.evaluate(() => globalThis.seen.size)) <= 2, "no place in between was drawn");
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const address = await served(context, HANOI);
      for (const width of [1280, 800]) {
        const page = await opened(browser, address, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true, reducedMotion: "reduce" });
        await page.evaluate(AXE);
        const usable = async (view) => {
          const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: [{ fromShadowDom: [".editor", ".cm-scroller"] }] }));
          const found = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`);
          assert.deepEqual(found, [], `${view}, ${width}`);
        };
        const orbit = await symmetryOf(page, "HANOI", ["move.1.A.B", "move.2.A.C"]);
        await orbit.getByText("6 = 6 images × 1").waitFor();
        await usable("orbit");
        await orbit.scrollIntoViewIfNeeded();
        await pictured(page, `orbit-${colorScheme}-${width}`);
        await orbit.getByRole("button", { name: "Apply (A B)", exact: true }).click();
        await orbit.getByText("the moved run is one of the moved process").waitFor();
        await usable("applied");
        await pictured(page, `applied-${colorScheme}-${width}`);
        const fold = await foldOf(page);
        await fold.getByRole("img").scrollIntoViewIfNeeded();
        await usable("unfolded");
        await pictured(page, `unfolded-${colorScheme}-${width}`);
        await fold.getByRole("button", { name: "Fold", exact: true }).click();
        await fold.getByRole("img", { name: "folded onto representatives" }).scrollIntoViewIfNeeded();
        await usable("folded");
        await pictured(page, `folded-${colorScheme}-${width}`);
        await page.close();
      }
    });
  }
});
