// Two tracks of a counterexample, and changes that break symmetries, on the page of `cspsym explore`.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAM = process.env.CSPSYM ?? join(ROOT, "target/release/cspsym");
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

if (!BROWSER && process.env.CI === "true") throw new Error("there is no chromium to test the page with");
const options = { skip: BROWSER ? false : "there is no chromium" };

/** A server for `script`, its address, and what ends it. */
async function served(script, ...more) {
  const child = spawn(PROGRAM, ["explore", script, "--no-open", ...more], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
  const [first] = await once(child.stdout, "data");
  return { address: String(first).trim(), end: () => child.kill() };
}

/** The tab Symmetry of the page at `address`, for an assertion. */
async function symmetryOf(browser, address, assertion, look = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...look });
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.goto(address);
  await page.getByRole("button", { name: "Check assertion 1", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Symmetry" }).click();
  await page.getByRole("combobox", { name: "Assertion" }).selectOption(String(assertion));
  return page;
}

const tracks = (page) => page.getByRole("region", { name: "Two tracks" });
const breaking = (page) => page.getByRole("region", { name: "How would I break this symmetry?" });
const cards = (page) => breaking(page).getByRole("article");
/** A row of the strip of both tracks, without its head. */
const row = async (page, head) => {
  const texts = await page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: head }) }).getByRole("cell").allTextContents();
  return texts.map((text) => text.trim());
};

describe("twists", options, () => {
  let browser;
  before(async () => {
    const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
    browser = await chromium.launch({ executablePath: BROWSER, args: args.split(" ") });
  });
  after(() => browser?.close());

  test("both tracks of a counterexample go step by step together", async () => {
    const { address, end } = await served("cspm/hanoi/hanoi.csp");
    const page = await symmetryOf(browser, address, 4);
    await tracks(page).getByRole("button", { name: "Show both tracks" }).click();
    await tracks(page).getByText("3 steps", { exact: true }).waitFor();
    assert.deepEqual(await row(page, "what the search saw"), ["start", "move.1.A.B", "move.2.A.B", "move.1.B.C", "move.3.A.B"]);
    assert.deepEqual(await row(page, "then twisted by"), ["no twist", "(B C)", "(B C)", "no twist", ""]);
    assert.deepEqual(await row(page, "the real run"), ["start", "move.1.A.B", "move.2.A.C", "move.1.B.C", "move.3.A.B"]);
    const states = async (pole) => (await row(page, pole)).join(" | ");
    assert.equal(await states("POLE(B)"), "POLE(B) | POLE(B)");
    const slider = page.getByRole("slider", { name: "Step of both tracks" });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await tracks(page).getByText("after step 1 of 3").waitFor();
    assert.equal(await states("POLE(B)"), "POLE(B) | HOLDING({1})");
    await page.getByRole("region", { name: "Both tracks" }).focus();
    await page.keyboard.press("ArrowRight");
    await tracks(page).getByText("after step 2 of 3").waitFor();
    assert.equal(await slider.inputValue(), "2");
    await tracks(page).getByText("Here both tracks are in the same state").waitFor();
    await page.keyboard.press("Home");
    await tracks(page).getByText("at the start").waitFor();
    await tracks(page).getByRole("button", { name: "Step 3 of both tracks" }).click();
    await tracks(page).getByText("after step 3 of 3").waitFor();
    assert.equal(await tracks(page).getByRole("button", { name: "One step on" }).isDisabled(), true);
    await tracks(page).getByRole("button", { name: "Step through the real run" }).click();
    await page.getByText("after 4 steps").waitFor();
    assert.deepEqual(page.complaints, []);
    end();
  });

  test("an assertion without twists says why", async () => {
    const { address, end } = await served("cspm/hanoi/hanoi.csp");
    const page = await symmetryOf(browser, address, 1);
    await tracks(page).getByRole("button", { name: "Show both tracks" }).click();
    await tracks(page).getByText("the search found no run").waitFor();
    end();
  });

  test("changes say which symmetry they break, with a place, and can be put into the editor", async () => {
    const { address, end } = await served("cspm/dijkstra/dijkstra.csp", "-D", "N=3");
    const page = await symmetryOf(browser, address, 2);
    await breaking(page).getByRole("button", { name: "Try small changes" }).click();
    const ordered = cards(page).filter({ hasText: "Choose in an order" });
    await ordered.getByText("symmetries become").waitFor();
    assert.deepEqual(await ordered.locator(".number").allTextContents(), ["6", "1"]);
    await ordered.getByText("(P1 P2 P3)").waitFor();
    assert.equal(await cards(page).count(), 4);
    const fixed = cards(page).filter({ hasText: "Fix an internal choice" });
    await fixed.getByText("as many as before").waitFor();
    await breaking(page).getByLabel("the start must stay as it is").check();
    await breaking(page).getByRole("button", { name: "Try small changes" }).click();
    await fixed.getByText("as many as before").waitFor({ state: "detached" });
    assert.deepEqual(await fixed.locator(".number").allTextContents(), ["6", "2"]);
    await fixed.getByRole("button", { name: /^line \d+$/ }).first().click();
    await fixed.getByRole("button", { name: "Put it into the editor" }).click();
    await page.getByText("changed, not saved").waitFor();
    await page.getByText("The changed script is in the editor.").waitFor();
    // Now that is an edit like any other.
    await breaking(page).getByRole("button", { name: "Compare my edit with what is saved" }).click();
    const own = cards(page).filter({ hasText: "Your edit" });
    await own.getByText("symmetries become").waitFor();
    assert.deepEqual(await own.locator(".number").allTextContents(), ["6", "2"]);
    await own.getByText("K_VARIABLE(x)").first().waitFor();
    assert.equal(await cards(page).count(), 1);
    assert.deepEqual(page.complaints, []);
    end();
  });

  test("all changes of one kind can be seen", async () => {
    const { address, end } = await served("cspm/dijkstra/dijkstra.csp");
    const page = await symmetryOf(browser, address, 2);
    await breaking(page).getByRole("button", { name: "Try small changes" }).click();
    const guarded = cards(page).filter({ hasText: "Guard one member away" });
    await guarded.getByRole("button", { name: "All changes of this kind" }).click();
    await cards(page).nth(4).waitFor();
    const kinds = await cards(page).getByRole("heading", { level: 3 }).allTextContents();
    assert.ok(kinds.length > 4 && kinds.every((kind) => kind === "Guard one member away"), kinds.join(", "));
    end();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async () => {
      const { address, end } = await served("cspm/hanoi/hanoi.csp");
      for (const width of [1280, 800]) {
        const page = await symmetryOf(browser, address, 4, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
        await page.evaluate(AXE);
        await tracks(page).getByRole("button", { name: "Show both tracks" }).click();
        await tracks(page).getByText("3 steps", { exact: true }).waitFor();
        await page.getByRole("slider").fill("2");
        await breaking(page).getByRole("button", { name: "Try small changes" }).click();
        await breaking(page).getByText("The script as it is").waitFor();
        const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: [{ fromShadowDom: [".editor", ".cm-scroller"] }] }));
        const found = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`);
        assert.deepEqual(found, [], `${width}`);
        await page.close();
      }
      end();
    });
  }
});
