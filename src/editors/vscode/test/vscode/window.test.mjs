// The packaged extension as a user sees it: installed from the file, in a window of a real VS Code.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { EXTENSION } from "../grammar/grammar.mjs";
import { command, openFile, options, pictured, started, windowOf } from "./editor.mjs";

const VSIX = join(EXTENSION, "out/cspsym.vsix");

describe("the packaged extension", options, () => {
  before(() => assert.ok(existsSync(VSIX), "npm run package makes it"));

  test("colours, lenses, verdicts, and the test explorer", async (context) => {
    const page = await windowOf(await started(context, { vsix: VSIX }));
    await page.open();
    await openFile(page, "tickets.csp");
    const lens = page.locator(".codelens-decoration a");
    await lens.filter({ hasText: /^check$/ }).first().waitFor();
    assert.equal(await lens.filter({ hasText: "step this process" }).count(), 3);
    // Brackets in operators are no brackets: none is shown as one that has no other.
    assert.equal(await page.locator(".view-line .unexpected-closing-bracket").count(), 0);
    await pictured(page, "script");
    await lens.filter({ hasText: /^check$/ }).first().click();
    await lens.filter({ hasText: "fails: After <sell." }).waitFor();
    await pictured(page, "lens");
    await command(page, "CSPm: Check All Assertions of This Script");
    await page.getByText("3 assertions: 1 hold, 2 fail").waitFor();
    await lens.filter({ hasText: /^holds$/ }).waitFor();
    await command(page, "Testing: Focus on Test Explorer View");
    await page.locator(".test-explorer").getByText("philosophers.csp").waitFor();
    await page.locator(".test-explorer .monaco-list-row", { hasText: "tickets.csp" }).first().click();
    await page.keyboard.press("ArrowRight");
    await page.locator(".test-explorer").getByText("THEATRE :[deadlock free [F]]").waitFor();
    await command(page, "Test: Run All Tests");
    // Of 17 assertions in three scripts, 7 fail.
    await page.locator(".result-summary", { hasText: "10/17" }).waitFor();
    await pictured(page, "tests");
  });

  test("what is typed is closed, and snippets are written", async (context) => {
    const page = await windowOf(await started(context, { vsix: VSIX, scripts: { "empty.csp": "" } }));
    await page.open();
    await openFile(page, "empty.csp");
    await page.locator(".codelens-decoration, .editor-instance .view-line").first().waitFor();
    const lines = async () => (await page.locator(".editor-instance .view-line").allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
    for (const [typed, expected] of [["{|", "{||}"], ["[|", "[||]"], ["(|", "(||)"], ["{-", "{--}"], ["\"", "\"\""], ["<", "<"], ["x'", "x'"]]) {
      // In a new window the first words are typed before it knows the language.
      for (let round = 0; round < 20; round += 1) {
        await page.keyboard.press("Control+A");
        await page.keyboard.press("Delete");
        await page.keyboard.type(typed, { delay: 50 });
        await page.waitForTimeout(300);
        if ((await lines()) === expected) break;
      }
      assert.equal(await lines(), expected);
    }
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.type("model");
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "model" }).first().click();
    await page.keyboard.press("Escape");
    await page.locator(".codelens-decoration a", { hasText: "show its graph" }).first().waitFor();
    assert.match(await lines(), /assert SYSTEM :\[deadlock free \[F\]\]/);
    await pictured(page, "snippet");
  });

  test("where the program is missing, a message has ways on", async (context) => {
    const page = await windowOf(await started(context, { vsix: VSIX, program: "/nowhere/cspsym" }));
    await page.open();
    await openFile(page, "tickets.csp");
    const message = page.locator(".notification-toast", { hasText: "/nowhere/cspsym" });
    await message.waitFor();
    await pictured(page, "missing");
    await message.getByRole("button", { name: "How to install" }).click();
    await page.getByText("Begin with CSPm").first().waitFor();
    await page.getByRole("button", { name: "Look for it again" }).waitFor();
    await page.frameLocator("iframe.webview").frameLocator("iframe#active-frame").getByText("cargo install").waitFor();
    await pictured(page, "walkthrough");
  });
});
