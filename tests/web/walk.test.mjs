// Walks on the page of `cspsym explore`: lanes of any length, operators, counterexamples, choices, and who waits.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, launched, opened, options, pictured, served, violations } from "./browser.mjs";
import { brief, cut, labels } from "../../src/explorer/web/names.js";

/** A server for a script with this text; `given` stands beside it as given.csp. */
async function servedText(context, text, given = null) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-walk-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const script = join(folder, "script.csp");
  writeFileSync(script, text);
  if (given) copyFileSync(join(ROOT, given), join(folder, "given.csp"));
  return served(context, script);
}

/** Decides an assertion on `page`, and gives the item that it stands in. */
async function checked(page, number) {
  await page.getByRole("tab", { name: "Assertions" }).click();
  const check = page.getByRole("button", { name: `Check assertion ${number}`, exact: true });
  await check.click();
  const item = page.locator(".assertions > li").filter({ has: check });
  await item.getByText(/^(holds|fails)$/).waitFor();
  return item;
}

/** Walks to the end of the counterexample of an assertion, which has so many steps. */
async function atEnd(page, number, steps) {
  await (await checked(page, number)).getByRole("button", { name: "Step through it" }).click();
  await page.getByText(`after ${steps.toLocaleString("en")} steps`, { exact: true }).waitFor();
}

const walkOf = async (page, process) => {
  await page.getByRole("tab", { name: "Step" }).click();
  await page.getByLabel("Process").fill(process);
  await page.getByRole("button", { name: "Walk", exact: true }).click();
  await page.getByText("at the start").waitFor();
};
const lanes = (page) => page.getByRole("region", { name: "Lanes: components and steps" });
const rowsOf = async (page) => (await lanes(page).getByRole("rowheader").allTextContents()).map((text) => text.trim());
/** The numbers of the steps that are drawn. */
const drawn = async (page) => (await lanes(page).locator("thead .number").allTextContents()).map((text) => Number(text.match(/\d+$/)[0]));
/** Whether the column of a step is in view, between the names and what the components are now. */
const isInView = (page, number) => lanes(page).evaluate((element, wanted) => {
  const heads = [...element.querySelectorAll("thead th")];
  const head = heads.find((cell) => cell.querySelector(".number")?.textContent.endsWith(String(wanted)));
  if (!head) return false;
  const [column, first, last] = [head, heads[0], heads.at(-1)].map((cell) => cell.getBoundingClientRect());
  return column.left >= first.right - 1 && column.right <= last.left + 1;
}, number);

/** Waits until the step is seen: what is drawn follows a little later. */
async function comesIntoView(page, number) {
  for (let looks = 0; looks < 200 && !(await isInView(page, number)); looks += 1) await page.waitForTimeout(50);
  assert.ok(await isInView(page, number));
}
const marked = (page, text) => lanes(page).getByRole("columnheader").filter({ hasText: text });

const LONG = `channel a, b : {0..3}
channel done
P(i) = a.i -> b.i -> P(i)
COUNT(n) = n > 0 & a?i -> COUNT(n - 1) [] n == 0 & done -> STOP
SYSTEM(n) = (||| i : {0..3} @ P(i)) [| {| a |} |] COUNT(n)
assert STOP [T= SYSTEM(1000) \\ {| a, b |}
assert STOP [T= SYSTEM(5) \\ {| a, b |}
`;

const WRONG = `channel a, b, c, d
LOOP = c -> d -> LOOP
LIVE = a -> (LOOP \\ {c, d})
UNSURE = a -> (b -> c -> UNSURE |~| b -> d -> UNSURE)
assert LIVE :[divergence free]
assert UNSURE :[deterministic [F]]
assert a -> (b -> STOP [] c -> STOP) [F= a -> (b -> STOP |~| c -> STOP)
`;

const RING = `N = 30
channel pick, put : {0..N-1}.{0..N-1}
channel many : {0..299}
left(i) = (i + N - 1) % N
right(i) = (i + 1) % N
GUEST(i) = pick.i.i -> pick.i.right(i) -> put.i.right(i) -> put.i.i -> GUEST(i)
FORK(i) = pick.i.i -> put.i.i -> FORK(i) [] pick.left(i).i -> put.left(i).i -> FORK(i)
TABLE = (||| i : {0..N-1} @ GUEST(i)) [| {| pick, put |} |] (||| i : {0..N-1} @ FORK(i))
MANY = [] i : {0..299} @ many.i -> MANY
assert TABLE :[deadlock free [F]]
`;

const PICTURED = `datatype NAME = A | B
channel on, off : NAME
DARK(i, n) = on.i -> LIT(i, n + 1)
LIT(i, n) = off.i -> DARK(i, n)
SYSTEM = (||| i : NAME @ DARK(i, 0)) \\ {| off |}
-- picture Lamps
--   size 80 80
--   place A = 20, B = 60
--   on on?i: lit.i = yes
--   on off?i: lit.i = no
--   at DARK?i?n: at.i = n
--   at LIT?i?n: at.i = n
--   text i 12 "$i" for i in A B
--   circle i 30 8 soft for i in A B
--   circle i 30 6 good for i in A B if lit.i = yes
--   rect i-5 50 10 5*at.i for i in A B if at.i > 0
-- picture Broken
--   triangle 1 2 3
assert SYSTEM :[deadlock free]
`;

describe("walks", options, () => {
  const chrome = launched();

  test("of two thousand steps are drawn as quickly as of ten, with the present step in view", async (context) => {
    const page = await opened(chrome, await servedText(context, LONG));
    await atEnd(page, 2, 7);
    const few = await lanes(page).locator("td").count();
    await atEnd(page, 1, 1997);
    const table = lanes(page).getByRole("table");
    assert.equal(await table.getAttribute("aria-colcount"), "1999");
    assert.ok((await lanes(page).locator("td").count()) < few + 300, "only what is in view is drawn");
    await comesIntoView(page, 1997);
    assert.equal(await marked(page, "1997").getAttribute("aria-colindex"), "1998");
    // The names and what is now stay where they are.
    await lanes(page).evaluate((element) => { element.scrollLeft = 0; });
    await marked(page, /\D1$/).first().waitFor();
    await comesIntoView(page, 1);
    assert.ok(!(await drawn(page)).includes(1997));
    // A step back brings the present step into view again. What was seen once is not asked for again, and of a new
    // state only what is new.
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByText("after 1,996 steps").waitFor();
    await comesIntoView(page, 1996);
    const asked = [];
    page.on("request", (request) => request.url().endsWith("/api") && asked.push(JSON.parse(request.postData())));
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByText("after 1,997 steps").waitFor();
    assert.deepEqual(asked, []);
    const answer = page.waitForResponse((response) => response.url().endsWith("/api"));
    await page.locator(".choices").getByRole("button").first().click();
    const { result } = await (await answer).json();
    await page.getByText("after 1,998 steps").waitFor();
    assert.equal(asked[0].from, 1997);
    assert.deepEqual([result.from, result.steps.length], [1997, 1]);
    assert.deepEqual(page.complaints, []);
  });

  test("number the steps as if none were hidden", async (context) => {
    const page = await opened(chrome, await servedText(context, LONG));
    await atEnd(page, 2, 7);
    assert.deepEqual(await drawn(page), [1, 2, 3, 4, 5, 6, 7]);
    await page.getByLabel("hide internal steps").check();
    assert.deepEqual(await drawn(page), [7]);
  });

  test("open what is chased: Lowe's attack has Alice, Bob, and what Mallory knows", async (context) => {
    const page = await opened(chrome, await served(context, "cspm/needham-schroeder/needham-schroeder.csp"));
    await atEnd(page, 2, 10);
    const folded = await rowsOf(page);
    assert.equal(folded.length, 8);
    assert.deepEqual(folded.slice(5, 7), ["ALICE(Flawed, 1)", "BOB(Flawed, 1)"]);
    const knowledge = lanes(page).getByRole("button", { name: "KNOWLEDGE(Flawed) ||" });
    assert.equal(await knowledge.getAttribute("aria-expanded"), "false");
    // Each operator has its own event: below the projection it is no τ any more.
    const row = (name) => lanes(page).getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    const said = await row(/SYSTEM\(Flawed\)/).locator("[title]").evaluateAll((cells) => cells.map((cell) => cell.title));
    assert.ok(said.some((title) => title.endsWith(": receive.Bob.Third.Bob.NB.1")), said.join("\n"));
    await knowledge.focus();
    await page.keyboard.press("Enter");
    const rows = Number(await lanes(page).getByRole("table").getAttribute("aria-rowcount"));
    assert.equal(rows, 1 + 6 + 26);
    const columns = Number(await lanes(page).getByRole("table").getAttribute("aria-colcount"));
    await page.getByLabel("the 20 steps that chase follows").check();
    assert.equal(Number(await lanes(page).getByRole("table").getAttribute("aria-colcount")), columns + 20);
    await page.getByLabel("operators").uncheck();
    assert.equal(Number(await lanes(page).getByRole("table").getAttribute("aria-rowcount")), 1 + 26);
    await marked(page, "not allowed").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("say all that the terminal says of a counterexample", async (context) => {
    const page = await opened(chrome, await servedText(context, WRONG));
    const loop = await checked(page, 1);
    await loop.getByText("After <a> the process can do internal steps for ever.").waitFor();
    const again = loop.getByRole("list", { name: "The steps that are done for ever" });
    assert.deepEqual((await again.getByRole("listitem").allTextContents()).map((text) => text.trim()), ["2τ\u00a0(c)", "3τ\u00a0(d)"]);
    const unsure = await checked(page, 2);
    await unsure.getByText("After <a, b> the process can do d, and can also refuse it.").waitFor();
    const texts = async (name) => (await unsure.getByRole("list", { name, exact: true }).getByRole("listitem").allTextContents()).map((text) => text.trim());
    assert.deepEqual(await texts("The run"), ["1a", "2τ", "3b"]);
    assert.deepEqual(await texts("The other run"), ["1a", "2τ", "3b", "4d ← done here, and refused by the run above"]);
    await unsure.getByText("At rest it offers {c} and refuses all else.").waitFor();
    const refused = await checked(page, 3);
    await refused.getByText("At rest it offers {b} and refuses all else; the specification wants all of {b, c}.").waitFor();
    // The same on the walk.
    await loop.getByRole("button", { name: "Step through it" }).click();
    await page.getByText("after 3 steps").waitFor();
    await page.getByText("The steps from 2 to 3 are done again and again.").waitFor();
    await marked(page, "again and again").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Go to where it is wrong" }).click();
    await page.getByText("after 3 steps").waitFor();
    await page.getByRole("tab", { name: "Assertions" }).click();
    await unsure.getByRole("button", { name: "Step through it" }).click();
    await page.getByText("after 3 steps").waitFor();
    assert.equal(await page.locator(".choices .event").first().textContent(), "c");
    await page.getByRole("button", { name: "The run that does it" }).click();
    await page.getByText("after 4 steps").waitFor();
    assert.equal(await page.getByRole("button", { name: "The run that does it" }).getAttribute("aria-pressed"), "true");
    await page.getByRole("button", { name: "The run that refuses" }).click();
    await page.getByText("after 3 steps").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("filter many choices as one types", async (context) => {
    const page = await opened(chrome, await servedText(context, RING));
    await walkOf(page, "MANY");
    const choices = page.locator(".choices").getByRole("button");
    assert.equal(await choices.count(), 200);
    await page.getByText("and 100 more: filter them").waitFor();
    await page.getByLabel("Filter the choices").fill("29");
    assert.equal(await choices.count(), 13);
    await page.getByLabel("Filter the choices").fill("297");
    await page.keyboard.press("Enter");
    await page.getByText("after 1 step", { exact: true }).waitFor();
    assert.deepEqual(await drawn(page), [1]);
    await lanes(page).getByText("many.297").first().waitFor();
    assert.equal(await page.getByLabel("Filter the choices").inputValue(), "");
    await page.getByLabel("Filter the choices").fill("nothing");
    await page.getByText("None of 300 choices fits.").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("draw who waits for whom", async (context) => {
    const page = await opened(chrome, await servedText(context, RING));
    await atEnd(page, 1, 30);
    await page.getByRole("img", { name: "Wait-for graph: a circle of 60 components" }).waitFor();
    const words = page.getByText("all 60 in words");
    await words.click();
    await page.getByRole("listitem").filter({ hasText: "GUEST(0) waits to do pick.0.1" }).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("draw a picture of the state that the script describes, in events and in states", async (context) => {
    const page = await opened(chrome, await servedText(context, PICTURED));
    await walkOf(page, "SYSTEM");
    const picture = page.getByRole("img", { name: /^Lamps/ });
    const shapes = (kind) => picture.locator(kind).evaluateAll((all) => all.map((shape) => [...shape.attributes].map(({ value }) => value).join(" ")));
    assert.equal(await picture.getAttribute("aria-label"), "Lamps: at A is 0, at B is 0");
    assert.deepEqual(await shapes("circle"), ["soft 20 30 8", "soft 60 30 8"]);
    for (const [name, steps] of [["on.B", 1], ["τ (off.B)", 2], ["on.A", 3]]) {
      await page.locator(".choices").getByRole("button").filter({ has: page.getByText(name, { exact: true }) }).click();
      await page.getByText(steps === 1 ? "after 1 step" : `after ${steps} steps`, { exact: true }).waitFor();
      if (steps === 1) assert.deepEqual(await shapes("circle"), ["soft 20 30 8", "soft 60 30 8", "good 60 30 6"]);
      if (steps === 2) assert.deepEqual(await shapes("circle"), ["soft 20 30 8", "soft 60 30 8"]);
    }
    assert.deepEqual(await shapes("circle"), ["soft 20 30 8", "soft 60 30 8", "good 20 30 6"]);
    // How often each was switched on is a part of its state: a bar as high.
    assert.deepEqual(await shapes("rect"), ["accent 15 50 10 5 3", "accent 55 50 10 5 3"]);
    assert.deepEqual(await picture.locator("text").allTextContents(), ["A", "B"]);
    await page.getByText(/The picture “Broken” .* line \d+\) cannot be drawn: “triangle” is no word of pictures\./).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("draw the towers of Hanoi and Dijkstra's flags in the labs", async (context) => {
    const page = await opened(chrome, await servedText(context, `include "given.csp"\nassert HANOI :[deadlock free]\n`, "cspm/labs/hanoi/given.csp"));
    await walkOf(page, "HANOI");
    const discs = page.getByRole("img", { name: /^The towers of Hanoi/ }).locator("rect");
    const places = () => discs.evaluateAll((all) => all.map((disc) => [disc.x.baseVal.value + disc.width.baseVal.value / 2, disc.y.baseVal.value]));
    assert.deepEqual(await places(), [[60, 74], [60, 89], [60, 104]]);
    for (const [move, steps] of [["move.1.A.B", 1], ["move.2.A.C", 2], ["move.1.B.C", 3]]) {
      await page.locator(".choices").getByRole("button").filter({ hasText: move }).click();
      await page.getByText(steps === 1 ? "after 1 step" : `after ${steps} steps`, { exact: true }).waitFor();
    }
    assert.deepEqual(await places(), [[280, 89], [280, 104], [60, 104]]);
    await page.getByRole("img", { name: "The towers of Hanoi: disc 1 is C, disc 2 is C" }).waitFor();
    const flags = await opened(chrome, await servedText(context, `include "given.csp"\nassert DIJKSTRA :[deadlock free]\n`, "cspm/labs/dijkstra/given.csp"));
    await walkOf(flags, "DIJKSTRA");
    for (const [event, steps] of [["try.P1", 1], ["τ (setb.P1.false)", 2]]) {
      await flags.locator(".choices").getByRole("button").filter({ hasText: event }).click();
      await flags.getByText(steps === 1 ? "after 1 step" : `after ${steps} steps`, { exact: true }).waitFor();
    }
    await flags.getByRole("img", { name: "Dijkstra's flags: b P1 is false" }).waitFor();
    assert.equal(await flags.locator(".picture rect.maybe").count(), 1);
    assert.deepEqual([...page.complaints, ...flags.complaints], []);
  });

  test("cut long names so that no two look the same, and write large numbers briefly", () => {
    assert.equal(cut("abcdefghij", 7), "abc…hij");
    const long = (middle, end = "") => `NODE(${"x".repeat(80)},${middle},${"y".repeat(50)}${end})`;
    const names = Array.from({ length: 500 }, (_, index) => [long(index), long(index, "z")]).flat();
    const shown = labels(names, 24);
    assert.equal(new Set(shown.values()).size, names.length);
    assert.ok(shown.get(long(7)).includes("7"));
    assert.ok([...shown.values()].every((label) => label.length < 60));
    const factorial = (n) => (n === 0n ? 1n : n * factorial(n - 1n));
    assert.equal(String(factorial(200n)).length, 375);
    assert.equal(brief(factorial(200n)), "200!");
    assert.equal(brief(2n ** 1245n), "2¹²⁴⁵");
    assert.equal(brief(factorial(5n) ** 20n), "(5!)²⁰");
    assert.equal(brief(2n ** 200n * factorial(200n)), "2²⁰⁰ × 200!");
    assert.equal(brief(factorial(200n) + 1n), "about 7.88 × 10³⁷⁴");
    assert.equal(brief(720), "720");
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const attack = await served(context, "cspm/needham-schroeder/needham-schroeder.csp");
      const ring = await servedText(context, RING);
      const wrong = await servedText(context, WRONG);
      for (const width of [1280, 800]) {
        const look = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
        const seen = async (page, name) => {
          await pictured(page, `walk-${name}-${colorScheme}-${width}`);
          assert.deepEqual(await violations(page), [], `${name} ${width}`);
        };
        const first = await opened(chrome, attack, look);
        await atEnd(first, 2, 10);
        await first.getByLabel(/steps that chase follows/).check();
        await seen(first, "attack");
        await first.close();
        const second = await opened(chrome, ring, look);
        await atEnd(second, 1, 30);
        await seen(second, "ring");
        await walkOf(second, "MANY");
        await seen(second, "many");
        await second.close();
        const third = await opened(chrome, wrong, look);
        await checked(third, 1);
        await checked(third, 2);
        await seen(third, "wrong");
        await third.close();
      }
    });
  }
});
