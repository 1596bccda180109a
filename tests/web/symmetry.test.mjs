// What symmetries do, on the page of `cspsym explore`: orbit cards, moved walks, and graphs that are folded.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

const HANOI = "cspm/hanoi/hanoi.csp";

/** A walk of `process` through the choices with these names, and then the view of symmetries. */
async function symmetryOf(page, process, steps) {
  await page.getByRole("tab", { name: "Step" }).click();
  await page.getByLabel("Process").fill(process);
  await page.getByRole("button", { name: "Walk" }).click();
  await page.getByText("at the start", { exact: true }).waitFor();
  const choices = page.getByRole("region", { name: "What can happen next" });
  for (const [index, step] of steps.entries()) {
    await choices.getByRole("button", { name: step }).click();
    await page.getByText(`after ${index + 1} step${index === 0 ? "" : "s"}`, { exact: true }).waitFor();
  }
  await page.getByRole("tab", { name: "Symmetry" }).click();
  const orbit = page.getByRole("region", { name: "Orbit", exact: true });
  await orbit.getByRole("group", { name: "The state of the walk" }).waitFor();
  return orbit;
}

/** The graph of HANOI, and its orbits. */
async function foldOf(page, fixesStart = false) {
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.getByLabel("Process").fill("HANOI");
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  const fold = page.getByRole("region", { name: "Fold by symmetry" });
  await fold.waitFor();
  if (fixesStart) await fold.getByLabel("that fix the start").check();
  await fold.getByRole("button", { name: "Find orbits" }).click();
  await fold.getByRole("button", { name: "Fold", exact: true }).waitFor();
  return fold;
}

/** At how many different places the drawing has nodes. */
const differentPlaces = (fold) =>
  fold.locator("circle").evaluateAll((all) => new Set(all.map((c) => `${Number(c.getAttribute("cx")).toFixed(2)} ${Number(c.getAttribute("cy")).toFixed(2)}`)).size);

describe("symmetry on the page", options, () => {
  const chrome = launched();

  test("shows the orbit of a state, its stabiliser and its representative", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(chrome, address);
    await page.getByRole("tab", { name: "Symmetry" }).click();
    await page.getByText("Begin a walk in the view").waitFor();
    const orbit = await symmetryOf(page, "HANOI", []);
    await orbit.getByText("6 = 3 images × 2").waitFor();
    assert.equal(await orbit.getByRole("listitem").count(), 2, "a card for each other image");
    assert.equal(await orbit.getByText("representative", { exact: true }).count(), 1);
    assert.equal(await orbit.getByText("moves the start").count(), 2);
    await orbit.getByLabel("only symmetries that fix the start").check();
    await orbit.getByText("2 = 1 image × 2").waitFor();
    assert.equal(await orbit.getByRole("listitem").count(), 0);
    assert.deepEqual(page.complaints, []);
  });

  test("moves a walk by a permutation, and says where that moves the start", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(chrome, address);
    const orbit = await symmetryOf(page, "HANOI", ["move.1.A.B", "move.2.A.C"]);
    await orbit.getByText("6 = 6 images × 1").waitFor();
    await orbit.getByRole("button", { name: "Apply (B C)", exact: true }).click();
    await orbit.getByText("fixes the start").waitFor();
    await orbit.getByText("move.1.A.B becomes move.1.A.C").waitFor();
    await page.getByRole("tab", { name: "Step" }).click();
    await page.getByRole("button", { name: /^move\.2\.A\.B/ }).first().waitFor();
    await page.getByRole("tab", { name: "Symmetry" }).click();
    await orbit.getByLabel("Move the walk by").fill("(A B)");
    await orbit.getByRole("button", { name: "Apply", exact: true }).click();
    await orbit.getByText("the moved run is one of the moved process").waitFor();
    await orbit.getByLabel("Move the walk by").fill("(A 1)");
    await orbit.getByRole("button", { name: "Apply", exact: true }).click();
    await orbit.locator(".notice.bad").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("folds 27 states into 5 orbits, or 14 if the start has to stay, and unfolds them again", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(chrome, address);
    const fold = await foldOf(page);
    await fold.getByText("27 states in 5 orbits").first().waitFor();
    assert.equal(await differentPlaces(fold), 27);
    await fold.getByRole("button", { name: "Fold", exact: true }).click();
    await page.waitForFunction(() => new Set([...document.querySelectorAll(".folding circle")].map((c) => c.getAttribute("cx"))).size <= 5);
    assert.equal(await differentPlaces(fold), 5);
    await fold.getByRole("img", { name: "27 states in 5 orbits, folded onto representatives" }).waitFor();
    await fold.getByRole("button", { name: "Unfold" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".folding text").length === 27);
    assert.equal(await differentPlaces(fold), 27);
    await fold.getByLabel("that fix the start").check();
    await fold.getByRole("button", { name: "Find orbits" }).click();
    await fold.getByText("27 states in 14 orbits").first().waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("folds at once for those who want no motion", async (context) => {
    const address = await served(context, HANOI);
    const page = await opened(chrome, address, { reducedMotion: "reduce" });
    const fold = await foldOf(page);
    await page.evaluate(() => {
      globalThis.seen = new Set();
      new MutationObserver(() => globalThis.seen.add(document.querySelector(".folding circle").getAttribute("cx"))).observe(document.querySelector(".folding"), { subtree: true, attributes: true });
    });
    await fold.getByRole("button", { name: "Fold", exact: true }).click();
    await fold.getByRole("button", { name: "Unfold" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".folding text").length === 5);
    assert.equal(await differentPlaces(fold), 5);
    assert.ok((await page.evaluate(() => globalThis.seen.size)) <= 2, "no place in between was drawn");
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const address = await served(context, HANOI);
      for (const width of [1280, 800]) {
        const page = await opened(chrome, address, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true, reducedMotion: "reduce" });
        const usable = async (view) => {
          assert.deepEqual(await violations(page), [], `${view}, ${width}`);
        };
        const orbit = await symmetryOf(page, "HANOI", ["move.1.A.B", "move.2.A.C"]);
        await orbit.getByText("6 = 6 images × 1").waitFor();
        await usable("orbit");
        await orbit.scrollIntoViewIfNeeded();
        await pictured(page, `orbit-${colorScheme}-${width}`);
        await orbit.getByRole("button", { name: "Apply (A B)", exact: true }).click();
        await orbit.getByText("the moved run is one of the moved process").waitFor();
        await usable("applied");
        await pictured(page, `applied-${colorScheme}-${width}`);
        const fold = await foldOf(page);
        await fold.getByRole("img").scrollIntoViewIfNeeded();
        await usable("unfolded");
        await pictured(page, `unfolded-${colorScheme}-${width}`);
        await fold.getByRole("button", { name: "Fold", exact: true }).click();
        await fold.getByRole("img", { name: "folded onto representatives" }).scrollIntoViewIfNeeded();
        await usable("folded");
        await pictured(page, `folded-${colorScheme}-${width}`);
        await page.close();
      }
    });
  }

  test("tells the symmetries of definitions where components are too large to be listed", async (context) => {
    const address = await served(context, "cspm/peterson/peterson.csp", "-D", "N=9");
    const page = await opened(chrome, address);
    await page.getByRole("tab", { name: "Symmetry" }).click();
    await page.getByLabel("Assertion", { exact: true }).selectOption({ index: 1 });
    await page.getByRole("button", { name: "Find symmetries" }).click();
    await page.getByText("362880 permutations of values change nothing").waitFor();
    await page.getByText("They are symmetries of the definitions").waitFor();
    await page.getByRole("heading", { name: "Where the script looks into values" }).waitFor();
    await page.getByRole("button", { name: /peterson\.csp:/ }).first().waitFor();
    assert.equal(await page.getByRole("heading", { name: "Orbits of leaves" }).count(), 0);
    assert.deepEqual(page.complaints, []);
    await pictured(page, "symmetries-of-definitions");
  });
});
