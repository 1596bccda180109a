// What is wrong with a script is told with its place, in each view that asks about the script.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

/** A script with a mistake that only its evaluation finds. */
const SCRIPT = `channel a : {0..3}
f(0) = STOP
f(n) = a.(n / 0) -> STOP
P = a.1 -> f(1)
assert STOP [T= P
`;

/** The place of the mistake, as all views say it. */
const PLACE = "wrong.csp:3:11";

/** The page of the script. */
async function begun(context, chrome, look = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const script = join(folder, "wrong.csp");
  writeFileSync(script, SCRIPT);
  return opened(chrome, await served(context, script), look);
}

describe("a mistake that evaluation finds", options, () => {
  const chrome = launched();

  for (const colorScheme of ["light", "dark"]) {
    test(`has its place in each view, ${colorScheme}`, async (context) => {
      const page = await begun(context, chrome, { colorScheme, bypassCSP: true });
      const tab = (name) => page.getByRole("tab", { name }).click();
      const press = (name) => page.getByRole("button", { name, exact: true }).click();
      const said = page.getByText("division-by-zero: division by zero: 1 / 0");
      const told = async (name) => {
        await said.getByRole("button", { name: PLACE }).waitFor();
        await pictured(page, `problem-${name}-${colorScheme}`);
        assert.deepEqual(await violations(page), [], name);
      };
      await press("Check all");
      await said.getByText(PLACE).waitFor();
      await tab("Graph");
      await page.getByLabel("Process", { exact: true }).fill("P");
      await press("Draw");
      await told("graph");
      await tab("Game");
      await press("Play");
      await told("game");
      // The button leads to the place.
      await press(PLACE);
      assert.equal(await page.locator(".editor").evaluate((editor) => editor.contains(document.activeElement)), true);
      // What was typed into a field has no place in a file.
      await page.getByRole("combobox", { name: "Refinement" }).selectOption("");
      await page.getByLabel("Implementation", { exact: true }).fill("PX");
      await press("Play");
      await page.getByText("`PX` is not defined here").waitFor();
      assert.equal(await page.getByText("command line").count(), 0);
      assert.deepEqual(page.complaints, []);
    });
  }
});
