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
    spawnSync(PROGRAM, ["check", ...words, "--report", file], { cwd: ROOT, env: { ...process.env, SOURCE_DATE_EPOCH: "784111777" } });
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
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "tests/messages/explain-deadlock.csp");
    await page.getByText("cspsym check tests/messages/explain-deadlock.csp --report").waitFor();
    await page.getByText(/^Sun, 06 Nov 1994 08:49:37 GMT, cspsym \d/).waitFor();
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
    await first.locator("thead [data-step='1']").click();
    assert.equal(await said.textContent(), "step 1 of 3: τ (pick.0.0)");
    assert.equal(await now.textContent(), "PHIL(1)");
    assert.match(await first.locator("[aria-current=step]").textContent(), /τ \(pick\.0\.0\)1$/);
    assert.match(await first.locator("thead .wrong").textContent(), /deadlock✗/);
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

  test("has every step of a long counterexample, and opens it quickly", async () => {
    const script = join(folder, "long.csp");
    writeFileSync(script, `channel tick : {0..2}
CLOCK(n) = n < 3000 & tick.0 -> CLOCK(n + 1) [] n == 3000 & tick.1 -> LOOP
LOOP = tick.2 -> LOOP
A_COMPONENT_WITH_A_VERY_LONG_NAME_THAT_NO_COLUMN_HAS_ROOM_FOR(n) = tick?_ -> A_COMPONENT_WITH_A_VERY_LONG_NAME_THAT_NO_COLUMN_HAS_ROOM_FOR(n)
SYSTEM = CLOCK(0) [| {| tick |} |] A_COMPONENT_WITH_A_VERY_LONG_NAME_THAT_NO_COLUMN_HAS_ROOM_FOR(7)
assert SYSTEM \\ {tick.2} :[divergence free]
`);
    const page = await opened([script]);
    const lanes = page.getByRole("region", { name: /^Lanes:/ });
    const count = await lanes.locator("thead [data-step]").count();
    assert.ok(count > 3000, String(count));
    assert.ok((await lanes.locator("thead .again").count()) > 0);
    const name = lanes.getByRole("rowheader", { name: /A_COMPONENT/ });
    assert.match(await name.getAttribute("title"), /ROOM_FOR\(7\)$/);
    // The last step is in sight, and so is the first one then, beside the names.
    const isInSight = (step) => lanes.locator(`thead [data-step='${step}']`).evaluate((head) => {
      const { left, right } = head.getBoundingClientRect();
      const [from, to] = [head.closest("tr").firstElementChild.getBoundingClientRect().right, head.closest("tr").lastElementChild.getBoundingClientRect().left];
      return left >= from - 1 && right <= to + 1;
    });
    assert.ok(await isInSight(count - 1));
    await lanes.focus();
    await page.keyboard.press("Home");
    assert.ok(await isInSight(0));
    await pictured(page, "report-long");
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
