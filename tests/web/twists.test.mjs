// Two tracks of a counterexample, and changes that break symmetries, on the page of `cspsym explore`.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

/** The tab Symmetry of the page at `address`, for an assertion. */
async function symmetryOf(chrome, address, assertion, look = {}) {
  const page = await opened(chrome, address, look);
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
  const chrome = launched();

  test("both tracks of a counterexample go step by step together", async (context) => {
    const address = await served(context, "cspm/hanoi/hanoi.csp");
    const page = await symmetryOf(chrome, address, 4);
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
    await page.getByRole("region", { name: /^Both tracks:/ }).focus();
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
  });

  test("an assertion without twists says why", async (context) => {
    const address = await served(context, "cspm/hanoi/hanoi.csp");
    const page = await symmetryOf(chrome, address, 1);
    await tracks(page).getByRole("button", { name: "Show both tracks" }).click();
    await tracks(page).getByText("the search found no run").waitFor();
  });

  test("changes say which symmetry they break, with a place, and can be put into the editor", async (context) => {
    const address = await served(context, "cspm/dijkstra/dijkstra.csp", "-D", "N=3");
    const page = await symmetryOf(chrome, address, 2);
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
    await fixed.getByText("symmetries become").waitFor();
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
  });

  test("all changes of one kind can be seen", async (context) => {
    const address = await served(context, "cspm/dijkstra/dijkstra.csp");
    const page = await symmetryOf(chrome, address, 2);
    await breaking(page).getByRole("button", { name: "Try small changes" }).click();
    const guarded = cards(page).filter({ hasText: "Guard one member away" });
    await guarded.getByRole("button", { name: "All changes of this kind" }).click();
    await cards(page).nth(4).waitFor();
    const kinds = await cards(page).getByRole("heading", { level: 3 }).allTextContents();
    assert.ok(kinds.length > 4 && kinds.every((kind) => kind === "Guard one member away"), kinds.join(", "));
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const address = await served(context, "cspm/hanoi/hanoi.csp");
      for (const width of [1280, 800]) {
        const page = await symmetryOf(chrome, address, 4, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
        await tracks(page).getByRole("button", { name: "Show both tracks" }).click();
        await tracks(page).getByText("3 steps", { exact: true }).waitFor();
        await page.getByRole("slider").fill("2");
        await breaking(page).getByRole("button", { name: "Try small changes" }).click();
        await breaking(page).getByText("The script as it is").waitFor();
        await pictured(page, `twists-${colorScheme}-${width}`);
        assert.deepEqual(await violations(page), [], `${width}`);
        await page.close();
      }
    });
  }
});
