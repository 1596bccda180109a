// A lab beside the editor: a student does the first tasks of one by keyboard alone.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM, launched, listened, options, pictured, served, violations } from "./browser.mjs";

/** A folder for a student, and the page of the script in it. */
async function begun(context, lab) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-lab-"));
  context.after(() => rmSync(folder, { recursive: true }));
  execFileSync(PROGRAM, ["lab", "start", lab, folder, "--overwrite"]);
  const script = join(folder, "start.csp");
  return { folder, script, address: await served(context, script) };
}

/** The page at `address`, once its first task is there. */
async function opened({ browser }, address, look = {}) {
  const page = listened(await browser.newPage({ viewport: { width: 1280, height: 800 }, ...look }));
  await page.goto(address);
  await page.getByRole("heading", { name: "Task 1:" }).waitFor();
  return page;
}

/** Goes on from one thing to the next with the key Tab, until `target` has the focus. */
async function tabTo(page, target) {
  for (let pressed = 0; pressed < 120; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement || element.getRootNode().activeElement === element)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`nobody comes to ${target} with the key Tab`);
}

const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Replaces the script in the editor by what `change` makes of it. */
async function rewritten(page, script, change) {
  await tabTo(page, page.getByRole("textbox", { name: "Script" }));
  await page.keyboard.press("Control+a");
  // A browser keeps the look of what is typed over, by a style of its own, which the page forbids.
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(change(readFileSync(script, "utf8")));
}

/** Saves, and waits until that is done. */
async function saved(page) {
  await page.keyboard.press("Control+s");
  await page.getByText("Saved.").waitFor();
}

describe("a lab in the explorer", options, () => {
  const chrome = launched();

  test("a student does the first tasks by keyboard alone", async (context) => {
    const { folder, script, address } = await begun(context, "refinement");
    const page = await opened(chrome, address);
    assert.equal(await page.getByRole("tab", { name: "Lab" }).getAttribute("aria-selected"), "true");
    await page.getByText("0 of 9 tasks done").waitFor();

    // Task 1: it is wrong, and then right.
    await tabTo(page, button(page, "Check task 1"));
    await page.keyboard.press("Enter");
    await page.getByText("At the start your VM can come to rest offering nothing").waitFor();
    await rewritten(page, script, (text) => text.replace("VM = STOP", "VM = coin -> choc -> coin -> toffee -> VM"));
    await page.getByText("You have changed the script since: check again.").waitFor();
    await tabTo(page, button(page, "Check task 1"));
    await page.keyboard.press("Enter");
    await page.getByText("Task 1 is done.").waitFor();
    await page.getByText("1 of 9 tasks done").waitFor();
    await tabTo(page, page.getByRole("textbox", { name: "Script" }));
    await saved(page);

    // Task 2: nothing is shown before the prediction.
    await tabTo(page, page.getByRole("navigation", { name: "Tasks" }).getByRole("button").first());
    await page.keyboard.press("ArrowDown");
    await page.getByRole("heading", { name: "Task 2: What it can do" }).waitFor();
    assert.ok(await button(page, "Check task 2").isDisabled());
    await tabTo(page, page.getByRole("radio", { name: "holds" }));
    await page.keyboard.press("Space");
    await tabTo(page, button(page, "Predict"));
    await page.keyboard.press("Enter");
    await page.getByText("You predicted holds.").waitFor();
    await tabTo(page, button(page, "A question that helps"));
    await page.keyboard.press("Enter");
    await page.getByText("In which order do coins and chocolates come?").waitFor();
    await tabTo(page, button(page, "Check task 2"));
    await page.keyboard.press("Enter");
    await page.getByText("Fewer than two chocolates are sold in it.").waitFor();
    await page.getByText("You predicted holds, and so it is: holds.").waitFor();
    await page.getByText("CHOICE can do all that CHOCOLATES can, and sell toffees, too.").waitFor();

    // The prediction is a line of the script: once that is saved, the terminal knows it.
    await tabTo(page, page.getByRole("textbox", { name: "Script" }));
    await page.getByText("Saved.").waitFor({ state: "detached" }).catch(() => {});
    await page.keyboard.press("Control+s");
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    assert.match(readFileSync(script, "utf8"), /^--\? predict 2a holds$/m);
    await rewritten(page, script, (text) => text.replace("BOUGHT = <>", "BOUGHT = <coin, choc, coin, choc>"));
    await page.keyboard.press("Control+s");
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    await tabTo(page, button(page, "Check task 2"));
    await page.keyboard.press("Enter");
    await page.getByText("Task 2 is done.").waitFor();
    const { stdout } = spawnSync(PROGRAM, ["lab", "check", "--in", folder]);
    assert.match(String(stdout), / 1 {2}done .*\n +2 {2}done .*\n +3 {2}predict first/);
    assert.deepEqual(page.complaints, []);
  });

  test("a mistake in the script is told where it is, and all tasks can be checked at once", async (context) => {
    const { script, address } = await begun(context, "refinement");
    const page = await opened(chrome, address);
    await rewritten(page, script, (text) => text.replace("VM = STOP", "VM = coin -> chok -> VM"));
    await button(page, "Check task 1").click();
    await page.getByRole("tabpanel").getByText("`chok` is not defined here").waitFor();
    await rewritten(page, script, (text) => text.replace("VM = STOP", "VM = coin -> choc -> coin -> toffee -> VM"));
    await button(page, "Check all tasks").click();
    await page.getByText("1 of 9 tasks done").waitFor();
    await button(page, "Check all tasks").and(page.locator(":enabled")).waitFor();
    // What a reader with eyes sees as a sign is said in words.
    await page.getByRole("button", { name: /^1\. A first machine ?, done/ }).waitFor();
    await page.getByRole("button", { name: /^3\. Who chooses\? ?, predict first/ }).waitFor();
    await page.getByRole("button", { name: /^6\. Say what you want ?, to do/ }).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("a line that cannot be used is told by its task alone, and one of no task above all", async (context) => {
    const { script, address } = await begun(context, "refinement");
    const page = await opened(chrome, address);
    const lines = "--? predict 2a maybe\n--? predict 9z 1\n";
    await rewritten(page, script, (text) => lines + text.replace("--? predict 2a ?\n", "").replace("VM = STOP", "VM = coin -> choc -> coin -> toffee -> VM"));
    const views = page.getByRole("tabpanel").last();
    await views.getByText("this lab asks for no prediction `9z`").waitFor();
    await button(page, "Check all tasks").click();
    await page.getByText("1 of 9 tasks done").waitFor();
    await button(page, "Check all tasks").and(page.locator(":enabled")).waitFor();
    await page.getByRole("button", { name: /^2\. What it can do ?, a mistake/ }).click();
    await views.getByText("`2a` asks for").waitFor();
    await pictured(page, "lab-wrong-line");
    await button(page, "start.csp:1:1").click();
    await page.getByRole("radio", { name: "holds" }).check();
    await button(page, "Predict").click();
    await page.getByText("You predicted holds").waitFor();
    assert.equal(await views.getByText("`2a` asks for").count(), 0);
    assert.equal(await views.getByText("this lab asks for no prediction `9z`").count(), 1);
    assert.deepEqual(page.complaints, []);
  });

  test("a counterexample is stepped through and copied, and what is given is there to read", async (context) => {
    const { script, address } = await begun(context, "refinement");
    const page = await opened(chrome, address);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("What is given:").click();
    await page.getByRole("region", { name: "given.csp" }).getByText("A machine that is broken").waitFor();

    // A machine that may get stuck after the second sale is none that is asked for.
    await rewritten(page, script, (text) => text.replace("VM = STOP", "VM = coin -> choc -> coin -> toffee -> (VM |~| STOP)"));
    await button(page, "Check task 1").click();
    await page.getByText("After <coin, choc, coin, toffee> your VM can come to rest offering nothing").waitFor();
    await button(page, "Copy this trace").click();
    await page.getByText("Copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "<coin, choc, coin, toffee>");
    await button(page, "Step through it").click();
    await page.getByText("Nothing can happen: deadlock.").waitFor();
    await page.getByText("after 5 steps").waitFor();
    await button(page, "Back").click();
    await page.getByText("after 4 steps").waitFor();

    // The editor goes to the part of the task.
    await page.getByRole("tab", { name: "Lab" }).click();
    await page.getByRole("button", { name: /^8\. / }).click();
    await page.getByRole("heading", { name: "Task 8:" }).waitFor();
    await page.locator(".editor").getByText("-- Task 8").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("a game of a task is played, left, taken up, won, and its moves are in the script", async (context) => {
    const { folder, address } = await begun(context, "refinement");
    const page = await opened(chrome, address);
    const task = () => page.getByRole("button", { name: /^5\. Attack and defend/ }).click();
    const move = async (name) => {
      const region = page.getByRole("region", { name: "Your move" });
      await region.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) }).getByRole("button").click();
    };
    await task();
    await button(page, "Check task 5").click();
    await page.getByText("You have not played it yet.").waitFor();
    await button(page, "Play 5a").click();
    await page.getByText("Your moves are kept in your script.").waitFor();
    assert.equal(await button(page, "Change sides").count(), 0);
    await move("coin");
    await page.getByText("After ⟨coin⟩").waitFor();
    // What is lost is not kept, and the way to win is not told.
    await move("at rest");
    await page.getByText("The program has won.").waitFor();
    assert.equal(await page.getByText("A shortest attack:").count(), 0);
    await button(page, "Back to task 5").click();
    await page.getByText("Your moves: coin", { exact: false }).waitFor();
    await button(page, "Play 5a").click();
    await page.getByText("After ⟨coin⟩").waitFor();
    for (const [name, after] of [["choc", "coin, choc"], ["coin", "coin, choc, coin"]]) {
      await move(name);
      await page.getByText(`After ⟨${after}⟩`).waitFor();
    }
    await move("τ");
    await move("at rest");
    await page.getByText("You have won.").waitFor();
    await pictured(page, "lab-game-light-1280");
    await button(page, "Save").click();
    await page.getByText("Saved.").waitFor();
    assert.match(readFileSync(join(folder, "start.csp"), "utf8"), /^--\? game 5a coin; choc; coin; τ; at rest$/m);
    await button(page, "Back to task 5").click();
    await button(page, "Check task 5").click();
    await page.getByText("Show that FICKLE does and refuses nothing").nth(1).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("a script without a lab has no such tab", async (context) => {
    const address = await served(context, "cspm/vending/vending.csp");
    const page = await chrome.browser.newPage();
    await page.goto(`${address}#tab=graph&process=MOOD`);
    // The address says where to start.
    await page.getByRole("group", { name: "The graph of MOOD", exact: true }).waitFor();
    assert.equal(await page.getByRole("tab", { name: "Lab" }).count(), 0);
    await page.goto(`${address}#tab=walk&process=MOOD`);
    await page.getByText("at the start").waitFor();
    await page.goto(`${address}#tab=lab`);
    await page.getByText("There is no view “lab” of this script.").waitFor();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const { address } = await begun(context, "hanoi");
      for (const width of [1280, 800]) {
        const page = await opened(chrome, address, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
        const look = async (name) => {
          await pictured(page, `lab-${name}-${colorScheme}-${width}`);
          assert.deepEqual(await violations(page), [], `${name}, ${width}`);
        };
        await look("start");
        await page.getByRole("button", { name: /^2\. / }).click();
        await page.getByRole("heading", { name: "Task 2:" }).waitFor();
        await look("locked");
        await page.getByRole("textbox", { name: /^2a/ }).fill("27");
        await page.getByRole("textbox", { name: /^2b/ }).fill("3");
        await button(page, "Predict").click();
        await page.getByText("You predicted 27.").waitFor();
        await button(page, "A question that helps").click();
        await button(page, "Check task 2").click();
        await page.locator(".feedback").waitFor();
        await look("feedback");
        page.on("dialog", (dialog) => dialog.accept());
        await page.close();
      }
    });
  }
});
