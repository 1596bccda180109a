// Graphs in a real browser: drawn whole and as an overview, moved, searched, walked to, and saved.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launched, opened, options, pictured, served, violations } from "./browser.mjs";

const PHILOSOPHERS = "cspm/philosophers/philosophers.csp";
const HANOI = "cspm/hanoi/hanoi.csp";

/** Draws `process`, with choices by their labels. */
async function drawn(page, process, choices = {}) {
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.getByLabel("Process").fill(process);
  for (const [label, value] of Object.entries(choices)) {
    if (label === "most") await page.getByLabel("At most").fill(String(value));
    else await page.getByLabel(label, { exact: true }).selectOption(value);
  }
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  const stage = page.locator(".stage");
  await stage.locator("svg").waitFor();
  await page.getByText("working…").waitFor({ state: "detached" });
  return stage;
}

/** The part of the drawing that is seen. */
const seen = (stage) => stage.locator("svg").evaluate((svg) => svg.getAttribute("viewBox").split(" ").map(Number));
/** Whether the middle of a node is in sight. */
const isSeen = (stage, state) => stage.evaluate((frame, state) => {
  const box = [...frame.querySelectorAll("[data-states]")].find((node) => node.dataset.states.split(" ").includes(String(state))).getBoundingClientRect();
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return x > left && x < right && y > top && y < bottom;
}, state);
const stateNode = (stage, state) => stage.locator(`[data-states="${state}"]`);

/** The text of a file that a click saves, or its bytes. */
async function savedBy(page, button, asText = true) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), content: asText ? String(bytes) : bytes };
}

/** A script of this text, in a folder that is removed after the test. */
function script(context, text) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "script.csp");
  writeFileSync(file, text);
  return file;
}

/** Waits until so many nodes are drawn. */
const counted = (page, nodes) => page.waitForFunction((nodes) => document.querySelectorAll(".stage [data-node]").length === nodes, nodes);

/** Two internal choices that look alike, and a hidden event. */
const TWINS = `channel a, b, c, d, h
P = a -> (b -> Q |~| c -> Q) [] d -> ((h -> Q) \\ {h})
Q = a -> STOP
ROUND = h -> a -> h -> b -> ROUND
LOOP = ROUND \\ {h}
assert P :[deadlock free]
assert LOOP [T= P
`;

describe("graphs", options, () => {
  const chrome = launched();

  test("are fitted to the window, and moved by keys, wheel, pointer and buttons", async (context) => {
    const page = await opened(chrome, await served(context, PHILOSOPHERS));
    const stage = await drawn(page, "PLAIN");
    await page.getByText("711 states", { exact: true }).waitFor();
    const whole = await seen(stage);
    // All of the drawing is there: the start, the last state, and the two ends of the widest layer.
    for (const state of [0, 710, 300]) assert.ok(await isSeen(stage, state), `state ${state}`);
    assert.ok(whole[2] < 3000, "the drawing is not wide");
    await stage.focus();
    await page.keyboard.press("+");
    const enlarged = await seen(stage);
    assert.ok(enlarged[2] < whole[2]);
    await page.keyboard.press("ArrowRight");
    assert.ok((await seen(stage))[0] > enlarged[0]);
    await page.keyboard.press("ArrowDown");
    assert.ok((await seen(stage))[1] > enlarged[1]);
    await page.keyboard.press("-");
    assert.ok(Math.abs((await seen(stage))[2] - whole[2]) < 1);
    await page.keyboard.press("0");
    assert.deepEqual(await seen(stage), whole);
    await page.getByRole("button", { name: "Enlarge (+)" }).click();
    assert.ok((await seen(stage))[2] < whole[2]);
    await page.getByRole("button", { name: "Fit to the window (0)" }).click();
    assert.deepEqual(await seen(stage), whole);
    const box = await stage.boundingBox();
    const at = [box.x + 100, box.y + 100];
    await page.mouse.move(...at);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((width) => Number(document.querySelector(".stage svg").getAttribute("viewBox").split(" ")[2]) < width, whole[2]);
    const before = await seen(stage);
    await page.mouse.down();
    await page.mouse.move(at[0] + 60, at[1] + 40, { steps: 3 });
    await page.mouse.up();
    const after = await seen(stage);
    assert.ok(after[0] < before[0] && after[1] < before[1]);
    // Whoever moves the drawing has clicked nothing.
    assert.equal(await page.getByRole("tab", { name: "Graph" }).getAttribute("aria-selected"), "true");
    await page.getByRole("button", { name: "Go to the start" }).click();
    assert.ok(await isSeen(stage, 0));
    assert.deepEqual(page.complaints, []);
  });

  test("are enlarged by a pinch", async (context) => {
    const page = await opened(chrome, await served(context, HANOI), { hasTouch: true });
    const stage = await drawn(page, "HANOI");
    await stage.scrollIntoViewIfNeeded();
    const whole = await seen(stage);
    const box = await stage.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + 150];
    const client = await page.context().newCDPSession(page);
    const touch = (type, apart) => client.send("Input.dispatchTouchEvent", { type, touchPoints: apart === null ? [] : [{ x: x - apart, y, id: 1 }, { x: x + apart, y, id: 2 }] });
    await touch("touchStart", 30);
    for (const apart of [40, 60, 80, 90]) await touch("touchMove", apart);
    await touch("touchEnd", null);
    const enlarged = await seen(stage);
    assert.ok(enlarged[2] < whole[2] / 2, `${enlarged} of ${whole}`);
    assert.deepEqual(page.complaints, []);
  });

  test("are walked from a state by a click and by keys, also among steps that look alike", async (context) => {
    const page = await opened(chrome, await served(context, script(context, TWINS)));
    const stage = await drawn(page, "P");
    // From the start by arrows to a neighbour, and there by Enter.
    await stateNode(stage, 0).focus();
    await page.keyboard.press("ArrowDown");
    const below = await page.evaluate(() => document.activeElement.dataset.states);
    assert.notEqual(below, "0");
    await page.keyboard.press("Enter");
    await page.getByText("after 1 step", { exact: true }).waitFor();
    // What was drawn is still there; both branches of the choice are τ.
    for (const [event, other] of [["b", "c"], ["c", "b"]]) {
      await page.getByRole("tab", { name: "Graph" }).click();
      const node = page.locator(".stage [data-states]").filter({ has: page.locator(`xpath=./*[local-name()="title"][contains(., ": ${event} -> Q")]`) });
      await node.click();
      await page.getByText("after 2 steps", { exact: true }).waitFor();
      const choices = await page.locator(".choices .event").allTextContents();
      assert.deepEqual(choices, [event], `not ${other}`);
    }
    assert.deepEqual(page.complaints, []);
  });

  test("show the counterexample of an assertion about the process", async (context) => {
    const page = await opened(chrome, await served(context, PHILOSOPHERS));
    await page.getByRole("button", { name: "Check assertion 8", exact: true }).click();
    await page.getByRole("button", { name: "Show in the graph" }).click();
    const stage = page.locator(".stage");
    await stage.locator("svg.has-trail").waitFor();
    await page.getByText("8 steps of the counterexample are marked").waitFor();
    assert.equal(await stage.locator(".node.trail").count(), 9);
    assert.equal(await stage.locator(".line.trail").count(), 8);
    assert.equal(await stage.locator(".node.trail .stuck").count(), 1, "the deadlock is at its end");
    await page.getByLabel("Counterexample of").selectOption("none");
    await stage.locator(".node.trail").first().waitFor({ state: "detached" });
    assert.deepEqual(page.complaints, []);
  });

  test("show the event that is not allowed, in compressed graphs too", async (context) => {
    const page = await opened(chrome, await served(context, script(context, TWINS)));
    await page.getByRole("button", { name: "Check assertion 2", exact: true }).click();
    await page.getByRole("button", { name: "Show in the graph" }).click();
    await page.getByText("1 step of the counterexample").waitFor();
    await drawn(page, "P", { "Compressed by": "normal" });
    await page.getByText("1 step of the counterexample").waitFor();
    assert.equal(await page.locator(".stage .line.trail").count(), 1);
    assert.deepEqual(page.complaints, []);
  });

  test("are searched for states and events", async (context) => {
    const page = await opened(chrome, await served(context, PHILOSOPHERS));
    const stage = await drawn(page, "PLAIN");
    await page.getByLabel("Find").fill("eat.3");
    const found = page.getByText(/^\d+ states found$/);
    await found.waitFor();
    const count = Number((await found.textContent()).split(" ")[0]);
    assert.equal(await stage.locator(".node.found").count(), count);
    await page.keyboard.press("Enter");
    await page.getByText(`1 of ${count} states`).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(`2 of ${count} states`).waitFor();
    assert.equal(await stage.locator(".node.present").count(), 1);
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText(`1 of ${count} states`).waitFor();
    await page.getByLabel("Find").fill("no such thing");
    await page.getByText("not found").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("of thousands of states are overviews whose boxes are expanded and closed", async (context) => {
    const page = await opened(chrome, await served(context, PHILOSOPHERS, "-D", "N=6"));
    const stage = await drawn(page, "PLAIN", { most: 2000 });
    await page.getByText("2,000 states", { exact: true }).waitFor();
    await page.getByText("There are more states than are drawn: these are the 2000 nearest to the start.").waitFor();
    await page.getByRole("button", { name: "Draw up to 8000" }).waitFor();
    // The start and 8 layers.
    await counted(page, 9);
    await stage.locator("[data-group]").first().focus();
    assert.match(await page.locator(".told").textContent(), /after 1 step 6 states: expands/);
    await page.keyboard.press("Enter");
    const close = page.getByRole("button", { name: "Close after 1 step" });
    await close.waitFor();
    await counted(page, 14);
    await page.waitForFunction(() => document.activeElement.dataset?.states === "1");
    await close.click();
    await close.waitFor({ state: "detached" });
    await counted(page, 9);
    assert.deepEqual(page.complaints, []);
  });

  test("of a long chain begin with its start, in a size to read", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "line.csp");
    writeFileSync(script, "N = 400\nchannel a : {0..N}\nLINE(i) = if i == N then STOP else a.i -> LINE(i + 1)\nP = LINE(0)\nassert P :[deadlock free]\n");
    const page = await opened(chrome, await served(context, script));
    const stage = await drawn(page, "P");
    await page.getByText("401 states", { exact: true }).waitFor();
    const [, , , height] = await seen(stage);
    assert.ok(height < 2000, `${height} units of the drawing are seen`);
    assert.ok(await isSeen(stage, 0) && !(await isSeen(stage, 400)));
    await page.getByRole("button", { name: "Fit" }).click();
    assert.ok(await isSeen(stage, 0) && await isSeen(stage, 400));
    assert.deepEqual(page.complaints, []);
  });

  test("put together strong components, and symmetric states, which can be walked to", async (context) => {
    const page = await opened(chrome, await served(context, HANOI));
    const stage = await drawn(page, "HANOI", { Drawn: "components" });
    // All states reach each other.
    await counted(page, 1);
    await drawn(page, "HANOI", { Drawn: "orbits" });
    await page.getByText("27 states", { exact: true }).first().waitFor();
    await counted(page, 5);
    const all = await stage.locator("[data-node]").evaluateAll((nodes) => nodes.flatMap((node) => node.dataset.states.split(" ")).length);
    assert.equal(all, 27);
    await stage.locator("[data-group]").first().click();
    await page.getByText("Expanded:").waitFor();
    await stateNode(stage, 0).click();
    await page.getByText("at the start").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("are compressed as it is chosen, and walked to all the same", async (context) => {
    const page = await opened(chrome, await served(context, script(context, TWINS)));
    let stage = await drawn(page, "LOOP");
    await page.getByText("4 states", { exact: true }).waitFor();
    for (const compression of ["wbisim", "dbisim", "normal", "diamond", "model_compress"]) {
      stage = await drawn(page, "LOOP", { "Compressed by": compression });
      await page.getByText("2 states", { exact: true }).waitFor();
    }
    await stateNode(stage, 1).click();
    await page.locator(".choices").waitFor();
    await page.getByText(/after [23] steps/).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("are saved as SVG, PNG, DOT and AUT", async (context) => {
    const page = await opened(chrome, await served(context, HANOI));
    await drawn(page, "HANOI");
    const svg = await savedBy(page, "SVG");
    assert.equal(svg.name, "HANOI.svg");
    assert.match(svg.content, /^<svg /);
    assert.match(svg.content, /move\.1\.A\.B/);
    const png = await savedBy(page, "PNG", false);
    assert.deepEqual([...png.content.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
    const [wide, high] = [png.content.readUInt32BE(16), png.content.readUInt32BE(20)];
    assert.ok(wide > 400 && high > 400, `${wide} ${high}`);
    assert.match((await savedBy(page, "DOT")).content, /^digraph transitions \{/);
    assert.match((await savedBy(page, "AUT")).content, /^des \(0, 78, 27\)/);
    // A part is no graph for other programs.
    await drawn(page, "HANOI", { most: 5 });
    await page.getByRole("button", { name: "AUT" }).click();
    await page.getByText("cannot say that states are missing").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const address = await served(context, PHILOSOPHERS, "-D", "N=3");
      for (const width of [1280, 800]) {
        const page = await opened(chrome, address, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true, reducedMotion: "reduce" });
        await page.getByRole("button", { name: "Check assertion 8", exact: true }).click();
        await page.getByRole("button", { name: "Show in the graph" }).waitFor();
        for (const overview of ["auto", "layers", "components", "orbits"]) {
          const stage = await drawn(page, "PLAIN", { Drawn: overview });
          await page.getByLabel("Find").fill("eat.1");
          await stage.scrollIntoViewIfNeeded();
          assert.deepEqual(await violations(page), [], `${overview}, ${width}`);
          await pictured(page, `graph-${overview}-${colorScheme}-${width}`);
        }
        await page.close();
      }
    });
  }
});
