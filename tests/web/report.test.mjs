// A report that `cspsym check --report` writes, opened from the disk in a real browser.
import { after, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROGRAM, ROOT, launched, listened, options, pictured, violations } from "./browser.mjs";

describe("a report in one file", options, () => {
  const chrome = launched();
  const folder = mkdtempSync(join(tmpdir(), "cspsym-report-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The report on what `words` check, opened by double click, without a network. */
  async function opened(words, look = {}) {
    const file = join(folder, "report.html");
    spawnSync(PROGRAM, ["check", ...words, "--report", file], { cwd: ROOT });
    const context = await chrome.browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true, ...look });
    const page = listened(await context.newPage());
    page.requests = [];
    page.on("dialog", (dialog) => (page.complaints.push(dialog.message()), dialog.dismiss()));
    page.on("request", (request) => page.requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  test("has the verdicts, and steps through a counterexample by buttons and keys", async () => {
    const page = await opened(["tests/messages/explain-deadlock.csp"]);
    assert.match(await page.title(), /explain-deadlock\.csp: 2 assertions: 0 hold, 2 fail/);
    assert.equal(await page.getByText("fails", { exact: true }).count(), 2);
    const first = page.getByRole("region", { name: "Counterexample of assertion 1", exact: true });
    const said = first.getByRole("status");
    const now = first.getByRole("row", { name: /^PHIL\(1\)/ }).getByRole("cell").last();
    assert.equal(await said.textContent(), "step 3 of 3: τ (pick.2.2)");
    assert.match(await now.textContent(), /^pick\.1\.2 -> /);
    await first.getByRole("button", { name: "First" }).click();
    assert.equal(await said.textContent(), "at the start");
    assert.equal(await now.textContent(), "PHIL(1)");
    assert.ok(await first.getByRole("button", { name: "Back" }).isDisabled());
    await first.getByRole("region", { name: "Lanes: Counterexample of assertion 1" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await said.textContent(), "step 2 of 3: τ (pick.1.1)");
    assert.match(await now.textContent(), /^pick\.1\.2 -> /);
    await first.getByRole("columnheader", { name: "τ (pick.0.0)" }).getByRole("button").click();
    assert.equal(await said.textContent(), "step 1 of 3: τ (pick.0.0)");
    assert.equal(await now.textContent(), "PHIL(1)");
    assert.equal(await first.locator("th[aria-current=step]").textContent(), "τ (pick.0.0)");
    assert.deepEqual(page.complaints, []);
    assert.equal(page.requests.length, 1, page.requests.join(" "));
  });

  test("shows what the specification allows, and several counterexamples", async () => {
    const page = await opened(["tests/messages/counterexamples.csp", "--counterexamples", "5", "--symmetry", "off"]);
    const second = page.getByRole("region", { name: /^Counterexample 2 of \d of assertion 1$/ });
    await second.getByRole("button", { name: "First" }).click();
    const row = second.locator("tr.specification");
    assert.equal(await row.locator(".now").textContent(), "{x}");
    await second.getByRole("button", { name: "Last" }).click();
    assert.equal(await row.locator(".now").textContent(), "nothing");
    await page.getByText("Graph of the process").first().click();
    assert.ok(await page.getByRole("region", { name: /^Graph of the process/ }).first().isVisible());
    assert.deepEqual(page.complaints, []);
  });

  test("runs nothing that stands in a script", async () => {
    const script = join(folder, "x<script>alert(1)<.csp");
    writeFileSync(script, 'datatype T = A\nchannel c : T.Int\nprint "</script><script>alert(2)</script>"\nassert STOP [T= c.A.1 -> STOP\n');
    const page = await opened([script]);
    assert.equal(await page.locator("script").count(), 2);
    assert.equal(await page.getByRole("heading", { level: 2 }).textContent(), script);
    assert.deepEqual(page.complaints, []);
  });

  test("is readable for all, in light and dark and on narrow screens", async () => {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1280, 800]) {
        const page = await opened(["tests/messages/explain-kinds.csp"], { colorScheme, viewport: { width, height: 900 } });
        for (const summary of await page.locator("summary").all()) await summary.click();
        assert.deepEqual(await violations(page), [], `${colorScheme} ${width}`);
        await pictured(page, `report-${colorScheme}-${width}`);
        assert.deepEqual(page.complaints, []);
      }
    }
  });
});
