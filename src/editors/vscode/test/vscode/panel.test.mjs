// The explorer beside the editor, by a program that lends its pages, and without one.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { EXTENSION } from "../grammar/grammar.mjs";
import { PROGRAM } from "../server/program.mjs";
import { openFile, options, pictured, started, windowOf } from "./editor.mjs";

const VSIX = join(EXTENSION, "out/cspsym.vsix");
const PROGRAM_THAT_LENDS = join(EXTENSION, "test/vscode/lending.mjs");

test("a page that is lent is shown in a panel, and walks there", options, async (context) => {
  const page = await windowOf(await started(context, { vsix: VSIX, program: PROGRAM_THAT_LENDS, environment: { CSPSYM: PROGRAM } }));
  await page.open();
  await openFile(page, "tickets.csp");
  const lenses = page.locator(".codelens-decoration a", { hasText: "step this process" });
  await lenses.nth(2).click();
  const explorer = page.frameLocator("iframe.webview").frameLocator("iframe#active-frame").frameLocator('iframe[title="CSP explorer"]');
  await explorer.getByRole("tab", { name: "Step" }).waitFor();
  await explorer.getByText("look.Ann").first().waitFor();
  await pictured(page, "panel");
  // Another lens of the script leads the same page on.
  await page.locator(".codelens-decoration a", { hasText: "show its graph" }).first().click();
  await explorer.getByText("Save as").waitFor();
  await pictured(page, "panel-graph");
  assert.equal(await page.locator("iframe.webview").count(), 1);
});

test("the browser is led to the same place", options, async (context) => {
  const settings = { "cspsym.explorer.opens": "browser" };
  const page = await windowOf(await started(context, { vsix: VSIX, program: PROGRAM_THAT_LENDS, environment: { CSPSYM: PROGRAM }, settings }));
  await page.open();
  await openFile(page, "tickets.csp");
  await page.locator(".codelens-decoration a", { hasText: "step this process" }).first().click();
  // The editor asks before it opens an address outside.
  const [opened] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button", { name: "Open", exact: true }).click()]);
  assert.match(opened.url(), /#tab=walk&process=FREE$/);
  await opened.getByText("look.Ann").first().waitFor();
  assert.equal(await page.locator("iframe.webview").count(), 0);
});

test("a page that this window cannot reach is told of", options, async (context) => {
  const page = await windowOf(await started(context, { vsix: VSIX }));
  await page.open();
  await openFile(page, "tickets.csp");
  await page.locator(".codelens-decoration a", { hasText: "step this process" }).first().click();
  await page.locator(".notification-toast", { hasText: "Forward that port" }).getByRole("button", { name: "Copy the address" }).waitFor();
  assert.equal(await page.locator("iframe.webview").count(), 0);
});
