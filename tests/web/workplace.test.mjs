// The page as a place to work: what stays while other views are seen, what is offered, and what is said when the program ends.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM, ROOT, launched, listened, opened, options, pictured, served, toured, violations } from "./browser.mjs";

const tab = (page, name) => page.getByRole("tab", { name }).click();
const viewBox = (page, name) => page.getByRole("img", { name }).getAttribute("viewBox");

/** A script in a folder of its own, with two processes, one of which has many states. */
function written(context, text) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-workplace-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const script = join(folder, "lift.csp");
  writeFileSync(script, text);
  return script;
}

const LIFT = "N = 3\nchannel up, down : {1..N}\nLIFT(n) = up!n -> down!n -> LIFT(n)\nBOTH = LIFT(1) ||| LIFT(2)\nassert BOTH :[deadlock free]\nassert LIFT(1) [T= BOTH\n";

/** Types at the end of the script. */
async function typed(page, text) {
  await page.getByRole("textbox", { name: "Script" }).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

describe("the page as a place to work", options, () => {
  const chrome = launched();

  test("keeps what views show, and goes on with long requests, while others are seen", async (context) => {
    const page = await opened(chrome, await served(context, "cspm/hanoi/hanoi.csp"));
    await tab(page, "Structure");
    await page.getByLabel("Process").fill("HANOI");
    await page.getByRole("button", { name: "Compile", exact: true }).click();
    await page.getByRole("img", { name: "The machine of HANOI" }).waitFor();
    await page.getByRole("button", { name: "Enlarge (+)" }).click();
    await page.getByRole("button", { name: "Enlarge (+)" }).click();
    await page.getByText("The leaves as a table").click();
    await page.getByLabel("Process").fill("HANOI \\ {}");
    const enlarged = await viewBox(page, "The machine of HANOI");

    await tab(page, "Symmetry");
    // The answer is held back until another view is seen.
    let release;
    const isReleased = new Promise((done) => (release = done));
    await page.route("**/api", async (route) => {
      if (JSON.parse(route.request().postData()).method === "symmetry") await isReleased;
      await route.continue();
    });
    await page.getByRole("button", { name: "Find symmetries" }).click();
    await page.getByText("looking for symmetries…").waitFor();

    await tab(page, "Structure");
    await page.getByRole("tab", { name: "Symmetry, at work" }).waitFor();
    assert.equal(await page.getByLabel("Process").inputValue(), "HANOI \\ {}");
    assert.equal(await viewBox(page, "The machine of HANOI"), enlarged);
    assert.ok(await page.getByRole("columnheader", { name: "transitions" }).isVisible());
    release();
    await page.getByRole("tab", { name: "Symmetry", exact: true }).waitFor();
    await tab(page, "Symmetry");
    await page.getByText("6 symmetries").waitFor();

    // Where somebody has scrolled to is seen again, too.
    await page.getByRole("tabpanel").evaluate((view) => view.scrollTo(0, 150));
    await tab(page, "Game");
    await tab(page, "Symmetry");
    assert.equal(await page.getByRole("tabpanel").evaluate((view) => view.scrollTop), 150);

    // A result of a view that is not seen is told to be of the script before.
    await typed(page, "\n-- more");
    await page.getByText("This is about the script as it was before").waitFor();
    await tab(page, "Structure");
    await page.getByText("This is about the script as it was before").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  for (const [part, words] of [
    ["rows.js", "A part of this page could not be loaded"], ["main.js", "A part of this page could not be loaded"],
    ["opening", "The page cannot be opened"], ["graph.css", null],
  ]) {
    test(`is opened anew until ${part} has come, at most ten times`, async (context) => {
      const address = await served(context, "cspm/hanoi/hanoi.csp");
      const page = listened(await chrome.browser.newPage());
      let failures = 2;
      let tries = 0;
      await page.route(`**/${part}`, (route) => {
        tries += 1;
        return tries <= failures ? route.abort("connectionfailed") : route.continue();
      });
      await page.goto(address);
      await page.getByRole("button", { name: "Check assertion 1", exact: true }).waitFor();
      await page.waitForFunction(() => sessionStorage.length === 0);
      assert.equal(tries, 3);
      [failures, tries] = [Infinity, 0];
      await page.reload().catch(() => {});
      // Without a style the page looks odd, and works.
      const said = words ? page.getByText(words) : page.getByRole("button", { name: "Check assertion 1", exact: true });
      while (tries < 1 + 10) await page.waitForTimeout(100);
      await said.waitFor();
      assert.equal(tries, 1 + 10);
    });
  }

  test("stops what a view asks, after another one was seen", async (context) => {
    const page = await opened(chrome, await served(context, "cspm/dijkstra/dijkstra.csp", "-D", "N=4"));
    await tab(page, "Structure");
    await page.route("**/api", () => {});
    await page.getByRole("button", { name: "Compile", exact: true }).click();
    await tab(page, "Graph");
    await page.getByRole("tab", { name: "Structure, at work" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("working…").waitFor({ state: "detached" });
    await tab(page, "Graph");
    await page.getByRole("tab", { name: "Structure", exact: true }).waitFor();
  });

  test("offers in each view what it can begin with", async (context) => {
    const many = Array.from({ length: 80 }, (_, index) => `P${index} = STOP`).join("\n");
    const page = await opened(chrome, await served(context, written(context, `${many}\n${LIFT}`)), { bypassCSP: true });
    await tab(page, "Step");
    const offers = page.getByRole("region", { name: "Walk one of these" });
    assert.equal(await offers.getByRole("listitem").count(), 60);
    await page.getByText("and 21 more: filter them").waitFor();
    await pictured(page, "offers");
    assert.deepEqual(await violations(page), []);
    await offers.getByRole("searchbox", { name: "Filter" }).fill("bo");
    await offers.getByRole("button", { name: "BOTH" }).click();
    await page.getByText("at the start").waitFor();
    assert.equal(await offers.count(), 0);
    await tab(page, "Graph");
    await page.getByRole("button", { name: "P3", exact: true }).click();
    await page.getByRole("group", { name: "The graph of P3", exact: true }).waitFor();
    await tab(page, "Structure");
    await page.getByRole("button", { name: "P2", exact: true }).click();
    await page.getByRole("img", { name: "The machine of P2" }).waitFor();
    await tab(page, "Symmetry");
    await page.getByRole("button", { name: "1: BOTH :[deadlock free]" }).click();
    await page.getByRole("heading", { name: "Orbits of leaves" }).waitFor();
    await tab(page, "Game");
    await page.getByRole("button", { name: "2: LIFT(1) [T= BOTH" }).click();
    await page.getByText("You attack").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("copies a link, and says how where the browser forbids it", async (context) => {
    const page = await opened(chrome, await served(context, "cspm/vending/vending.csp"));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"))));
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("press Ctrl C").waitFor();
    await page.waitForFunction((link) => (getSelection().toString() || document.activeElement.value) === link, link);
  });

  test("shows how a file that somebody has changed differs, and loses nothing by itself", async (context) => {
    const script = written(context, LIFT);
    const page = await opened(chrome, await served(context, script), { bypassCSP: true });
    await typed(page, "-- mine");
    writeFileSync(script, LIFT.replace("channel up", "-- theirs\nchannel up"));
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "The file was changed by somebody else" });
    await dialog.locator(".cm-deletedChunk", { hasText: "-- theirs" }).waitFor();
    await dialog.locator(".cm-changedLine", { hasText: "-- mine" }).waitFor();
    assert.equal(await dialog.locator("button.primary").textContent(), "Keep editing");
    await pictured(page, "conflict");
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("changed, not saved").waitFor();
    assert.match(readFileSync(script, "utf8"), /theirs/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Take theirs, and lose mine" }).click();
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Script" }).focus();
    await page.keyboard.press("Control+z");
    await page.getByText("changed, not saved").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    assert.equal(readFileSync(script, "utf8"), `${LIFT}-- mine`);
  });

  test("says once that the program has ended, and its next page goes on", async (context) => {
    const script = written(context, LIFT);
    const start = async () => {
      const child = spawn(PROGRAM, ["explore", script, "--no-open", "-D", "N=2"], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
      context.after(() => child.kill());
      const [first] = await once(child.stdout, "data");
      return { child, address: String(first).trim() };
    };
    const { child, address } = await start();
    // One browser keeps what the two pages have in common.
    const one = await chrome.browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 800 } });
    const page = await opened({ browser: one }, address);
    await tab(page, "Step");
    await page.getByRole("button", { name: "BOTH" }).click();
    await page.getByRole("button", { name: /up\.1/ }).first().click();
    await page.getByText("after 1 step").waitFor();

    // A connection that fails for a while is no more than that.
    await page.route(/\/(api|opening)$/, (route) => route.abort());
    await tab(page, "Structure");
    await page.getByRole("button", { name: "Compile", exact: true }).click();
    await page.getByRole("alert").getByText("The program has ended.").waitFor();
    await page.unroute(/\/(api|opening)$/);
    await page.getByRole("img", { name: "The machine of BOTH" }).waitFor();
    assert.equal(await page.getByText("The program has ended.").count(), 0);

    child.kill();
    await once(child, "exit");
    await typed(page, "-- mine");
    await tab(page, "Symmetry");
    await page.getByRole("button", { name: "Find symmetries" }).click();
    await page.getByRole("alert").getByText("Nothing is lost").waitFor();
    const command = await page.getByRole("textbox", { name: "The command that starts the program again" }).inputValue();
    assert.equal(command, `cspsym explore ${script} -D N=2`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Not saved: the program does not answer").waitFor();
    assert.equal(await page.getByText("Failed to fetch").count(), 0);
    assert.equal(await page.getByText("The program has ended.").count(), 1);
    await pictured(page, "gone");
    assert.deepEqual(await violations(page), []);

    const { address: next } = await start();
    assert.equal(new URL(next).origin, new URL(address).origin);
    await page.getByText("The program was started again").waitFor();
    const other = listened(await one.newPage());
    await other.goto(next);
    await other.getByText("You go on where you were").waitFor();
    await other.getByText("-- mine").waitFor();
    await tab(other, "Step");
    await other.getByText("after 1 step").waitFor();
    assert.deepEqual(other.complaints, []);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`breaks no rule of its own policy, ${colorScheme}`, async (context) => {
      const page = await opened(chrome, await served(context, "cspm/philosophers/philosophers.csp"), { colorScheme });
      await toured(page);
      assert.deepEqual(page.complaints, []);
    });
  }
});
