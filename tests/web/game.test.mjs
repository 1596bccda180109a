// The refinement game on the page of `cspsym explore`, by roles and keys alone.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

const SCRIPT = "cspm/vending/vending.csp";

/** The tab Game of the page at `address`. */
async function game(chrome, address, look = {}) {
  const page = await opened(chrome, address, look);
  await page.getByRole("tab", { name: "Game" }).click();
  await page.getByRole("heading", { name: "The rules" }).waitFor();
  return page;
}

/** Begins to play for an assertion. */
async function begun(page, assertion, side) {
  await page.getByRole("combobox", { name: "Refinement" }).selectOption(String(assertion));
  await page.getByRole("radio", { name: side }).check();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await choice(page, "give up").waitFor();
}

const move = (page) => page.getByRole("region", { name: "Your move" });
const end = (page) => page.getByRole("region", { name: "The end" });
const side = (page, name) => page.getByRole("region", { name, exact: true });
const tool = (page, name) => page.getByRole("toolbar", { name: "Game" }).getByRole("button", { name });
/** The button of a move: its name stands behind its key. */
const choice = (page, name) => move(page).getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) }).getByRole("button");

/** Decides an assertion, and waits until its new answer stands on the page instead of an older one. */
async function decided(page, assertion) {
  const check = page.getByRole("button", { name: `Check assertion ${assertion}` });
  const answer = page.waitForResponse((response) => response.url().endsWith("/api"));
  await check.click();
  await answer;
  // The button can be pressed again when the answer is shown.
  await check.click({ trial: true });
}

describe("the refinement game", options, () => {
  const chrome = launched();

  test("an attack that wins, and the same side lost by a mistake", async (context) => {
    const page = await game(chrome, await served(context, SCRIPT));
    await begun(page, 13, "I attack");
    await move(page).getByRole("heading", { name: "What does MOOD do next?" }).waitFor();
    await tool(page, "Hint").click();
    await move(page).getByText("You can win in 3 moves: coin.").waitFor();
    await choice(page, "coin").click();
    await page.getByText("After ⟨coin⟩").waitFor();
    await choice(page, "τ #2").click();
    await side(page, "Implementation").getByText("toffee -> MOOD").waitFor();
    await choice(page, "at rest").click();
    await end(page).getByText("You have won.").waitFor();
    await end(page).getByText("After <coin> MOOD can be at rest and offer {toffee}, where at rest CHOICE offers all of {choc, toffee}.").waitFor();
    assert.equal(await page.getByRole("region", { name: "All moves" }).getByRole("row").count(), 1 + 5);
    await tool(page, "Take back").click();
    await choice(page, "give up").click();
    await end(page).getByText("The program has won.").waitFor();
    await end(page).getByText("A shortest attack:").waitFor();
    await page.getByText("← your mistake").waitFor();
    await tool(page, "Play again").click();
    await page.getByText("After ⟨⟩").waitFor();
    await choice(page, "coin").waitFor();
    // A game is begun beside the counterexample of a refinement, and beside no other one.
    await page.getByRole("tab", { name: "Assertions" }).click();
    await page.getByText("Limits and options").click();
    await decided(page, 13);
    assert.equal(await page.getByRole("button", { name: "Play", exact: true }).count(), 1);
    await page.getByLabel("Model of refinements").selectOption("R");
    await decided(page, 13);
    assert.equal(await page.getByRole("button", { name: "Play", exact: true }).count(), 0);
    await page.getByLabel("Model of refinements").selectOption("");
    await decided(page, 13);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("heading", { name: "You attack CHOICE [F= MOOD" }).waitFor();
    await page.getByText("After ⟨⟩").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("a defence by keys alone", async (context) => {
    const page = await game(chrome, await served(context, SCRIPT));
    await begun(page, 14, "I defend");
    await page.getByText("You defend").waitFor();
    await page.keyboard.press("1");
    await side(page, "Specification").getByText("It can be in one of 3 states:").waitFor();
    await page.keyboard.press("1");
    await end(page).getByText("The program has won.").waitFor();
    await end(page).getByText("Your mistake was move 4").waitFor();
    await tool(page, "Take back").focus();
    await page.keyboard.press("Enter");
    await move(page).waitFor();
    // Move by move, until the program has nothing left to try.
    for (let turns = 0; (await end(page).count()) === 0; turns += 1) {
      assert.ok(turns < 20, "the game comes to an end");
      const before = await page.getByRole("region", { name: "All moves" }).getByRole("row").count();
      await tool(page, "Hint").focus();
      await page.keyboard.press("Enter");
      const hint = await move(page).getByText(/^You can win: state \d+\.$/).textContent();
      await page.keyboard.press(hint.match(/state (\d+)/)[1]);
      await page.waitForFunction((before) => document.querySelectorAll("[aria-label='All moves'] tr").length > before, before);
    }
    await end(page).getByText("You have won.").waitFor();
    await tool(page, "Change sides").focus();
    await page.keyboard.press("Enter");
    await page.getByText("You attack").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("two processes are named, the game stays when another view was looked at, and problems are said", async (context) => {
    const page = await game(chrome, await served(context, SCRIPT));
    await page.getByRole("combobox", { name: "Refinement" }).selectOption("");
    await page.getByLabel("Specification", { exact: true }).fill("MACHINE");
    await page.getByLabel("Implementation", { exact: true }).fill("GREEDYX");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("`GREEDYX` is not defined here").waitFor();
    await page.getByLabel("Implementation", { exact: true }).fill("GREEDY");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await choice(page, "coin").click();
    await page.getByText("After ⟨coin⟩").waitFor();
    await page.getByRole("tab", { name: "Step" }).click();
    await page.getByRole("tab", { name: "Game" }).click();
    await page.getByText("After ⟨coin⟩").waitFor();
    await page.getByRole("button", { name: "Link", exact: true }).click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    await page.getByRole("button", { name: "Close" }).click();
    const other = await opened(chrome, await served(context, "cspm/hanoi/hanoi.csp"));
    await other.getByRole("button", { name: "Open a link" }).click();
    await other.getByRole("textbox", { name: "Link" }).fill(link);
    await other.getByRole("button", { name: "Open", exact: true }).click();
    await other.getByText("After ⟨coin⟩").waitFor();
    assert.deepEqual(other.complaints, []);
    await choice(page, "coin").click();
    await end(page).getByText("You have won.").waitFor();
    await end(page).getByText("After <coin> GREEDY can do coin, where MACHINE allows only {choc}.").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 800]) {
      test(`everybody can use it, ${colorScheme}, ${width} pixels wide`, async (context) => {
        const page = await game(chrome, await served(context, SCRIPT), { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
        assert.deepEqual(await violations(page), []);
        await pictured(page, `game-rules-${colorScheme}-${width}`);
        await begun(page, 14, "I defend");
        await page.keyboard.press("1");
        await side(page, "Specification").getByText("It can be in one of 3 states:").waitFor();
        assert.deepEqual(await violations(page), []);
        await pictured(page, `game-move-${colorScheme}-${width}`);
        await choice(page, "state 1").click();
        await end(page).waitFor();
        assert.deepEqual(await violations(page), []);
        await pictured(page, `game-end-${colorScheme}-${width}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the window");
      });
    }
  }
});
