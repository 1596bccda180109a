// Checks in the page: how far they are, what is known when they are stopped, limits, options and values of constants.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

/** Without symmetries the search of so many cells takes minutes. */
const CELLS = `CELLS = 3
WORDS = <"none">
channel up, down : {0..30}
CELL(i) = up.i -> down.i -> CELL(i)
ALL = ||| i : {1..CELLS} @ CELL(i)
assert STOP [T= up.1 -> STOP
assert ALL :[divergence free]
assert STOP [T= STOP
`;

describe("checks in the page", options, () => {
  const chrome = launched();
  const assertion = (page, text) => page.getByRole("listitem").filter({ hasText: text });

  test("show how far they are, and keep what is known when they are stopped", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "cells.csp");
    writeFileSync(script, CELLS);
    const page = await opened(chrome, await served(context, script, "-D", "CELLS=24"));
    await page.getByText("Limits and options").click();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Symmetries").selectOption("off");
    await page.getByLabel("Orders of steps").selectOption("off");
    await page.getByLabel("Strategy").selectOption("machine");
    await page.getByLabel("Seconds for each assertion").fill("3600");
    await page.getByLabel("States that a check may store").fill("1000000000");
    await page.getByLabel("States that a check may store").press("Enter");
    await page.getByText("--timeout-each 3600 --max-states 1000000000 --max-leaf-states 1000000 --symmetry off --reduce off --strategy machine").waitFor();
    await page.getByRole("button", { name: "Check all" }).click();
    await page.getByText(/searching level \d+, [\d,]+ states?, strategy machine, .* states\/s, \d+ MiB/).waitFor();
    await pictured(page, "progress");
    await page.getByText("assertion 2 is being decided…").waitFor();
    // What is typed stays where the page is drawn anew meanwhile.
    const value = page.getByLabel("Value of CELLS");
    await value.fill("17");
    const progress = page.getByText(/searching level \d+, [\d,]+ states?/);
    const before = await progress.textContent();
    while ((await progress.textContent()) === before) await new Promise((next) => setTimeout(next, 50));
    assert.equal(await value.inputValue(), "17");
    await value.fill("24");
    await page.getByRole("button", { name: "Stop" }).click();
    await assertion(page, "ALL :[divergence free]").getByText(/interrupted: .*it was searching level/).waitFor();
    await page.getByText("0 hold, 1 fail, 1 undecided, 1 not decided yet").waitFor();
    await assertion(page, "STOP [T= up.1 -> STOP").getByText("fails", { exact: true }).waitFor();
    assert.equal(await assertion(page, "STOP [T= STOP").getByText("holds", { exact: true }).count(), 0);
    // With its symmetries and a smaller value it is decided at once.
    await page.getByRole("button", { name: "As usual" }).click();
    await page.getByLabel("Value of CELLS").fill("4");
    await page.getByLabel("Value of CELLS").press("Enter");
    await page.getByText("3 assertions, none decided yet").waitFor();
    await page.getByRole("button", { name: "Check all" }).click();
    await page.getByText("2 hold, 1 fail").waitFor();
    // What was known is still shown after a change, and said to be about the script before it.
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("-- nothing new");
    await page.getByText("3 assertions, none decided yet").waitFor();
    await assertion(page, "STOP [T= up.1 -> STOP").getByText("fails", { exact: true }).waitFor();
    await assertion(page, "STOP [T= up.1 -> STOP").getByText("This is about the script as it was before your last change.").waitFor();
    // Values that were chosen are there again when the page is opened anew.
    await page.reload();
    await page.getByLabel("Value of CELLS").waitFor();
    assert.equal(await page.getByLabel("Value of CELLS").inputValue(), "4");
    assert.deepEqual(page.complaints, []);
  });

  test("are decided by the options and for the values that are set, walks too", async (context) => {
    const page = await opened(chrome, await served(context, "cspm/vending/vending.csp"));
    await page.getByText("Limits and options").click();
    await page.getByLabel("Other options").fill("--fly");
    await page.getByLabel("Other options").press("Enter");
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).click();
    await page.getByText("unexpected argument '--fly' found").waitFor();
    await page.getByLabel("Other options").fill("--strategy dive");
    await page.getByLabel("Other options").press("Enter");
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).click();
    await page.getByText("undecided", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Limits and options" }).click();
    await page.getByRole("button", { name: "As usual" }).click();
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).click();
    await page.getByText("1 hold, 0 fail").waitFor();
    assert.deepEqual(page.complaints, []);
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "count.csp");
    writeFileSync(script, "N = 2\nchannel c : {0..9}\nP(n) = n < N & c.n -> P(n + 1)\nQ = P(0)\nassert Q :[deadlock free]\n");
    const other = await opened(chrome, await served(context, script));
    await other.getByLabel("Try another value of").selectOption("N");
    await other.getByLabel("Value of N").fill("5");
    await other.getByLabel("Value of N").press("Enter");
    await other.getByRole("button", { name: "Check all" }).click();
    await other.getByText("0 hold, 1 fail").waitFor();
    await other.getByRole("button", { name: "Step through it" }).click();
    await other.getByText("after 5 steps").waitFor();
    // A value that is none is a mistake in the script, and can be taken back.
    await other.getByLabel("Value of N").fill("))");
    await other.getByLabel("Value of N").press("Enter");
    await other.getByRole("region", { name: "Messages" }).getByText("error[").first().waitFor();
    await other.getByRole("button", { name: "Leave N as the script has it" }).click();
    await other.getByText("after 2 steps").waitFor();
    assert.deepEqual(other.complaints, []);
  });
});
