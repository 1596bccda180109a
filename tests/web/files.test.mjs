// The files of the page: tabs for what the script includes, new files, and what the editor knows of names.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM, launched, listened, opened, options, pictured, served, violations } from "./browser.mjs";

const DOOR = "channel open, close\n-- A door that\n-- opens and closes.\nDOOR = open -> close -> DOOR\n";
const HOUSE = `include "parts/door.csp"
channel enter : {0..3}
-- A long comment, which does not fit into the width that the script has: it has to go on below, behind its sign.
HOUSE = enter?guest -> (if guest > 1 then open->close->enter!guest->HOUSE else (DOOR /\\ enter?other -> HOUSE)) [| {| enter |} |] RUN({| enter |})
assert DOOR [T= DOOR
`;

/** A new folder with a script and a file that it includes. */
function folderOf(context) {
  const folder = mkdtempSync(join(tmpdir(), "cspsym-files-"));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "parts"));
  const files = { script: join(folder, "house.csp"), door: join(folder, "parts/door.csp"), beside: join(folder, "beside.csp") };
  writeFileSync(files.script, HOUSE);
  writeFileSync(files.door, DOOR);
  writeFileSync(files.beside, "channel ring\n");
  return { folder, ...files };
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (page, name) => page.getByRole("textbox", { name });
const fileTab = (page, name) => page.getByRole("tablist", { name: "Files" }).getByRole("tab", { name });
const isChosen = (page, name) => page.getByRole("tab", { name, selected: true }).waitFor();
const textOf = async (page, name) => (await field(page, name).locator(".cm-line").allTextContents()).join("\n");

/** Goes to the end of the text in the editor, and types. */
async function typed(page, name, text) {
  await field(page, name).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}

describe("the files of the page", options, () => {
  const chrome = launched();

  test("have tabs, are edited and saved each by itself, and count at once", async (context) => {
    const { script, door, beside } = folderOf(context);
    const page = await opened(chrome, await served(context, script), { bypassCSP: true });
    await fileTab(page, "parts/door.csp").click();
    await page.getByText("Included, and read only.").waitFor();
    await typed(page, "parts/door.csp", "assert DOOR :[deadlock free]");
    assert.equal(await textOf(page, "parts/door.csp"), DOOR);
    assert.deepEqual(await violations(page), []);

    // A draft of an included file counts in what is asked, and outlives the page.
    await button(page, "Edit parts/door.csp").click();
    await typed(page, "parts/door.csp", "assert DOOR :[deadlock free]\n");
    await button(page, "Check assertion 2").waitFor();
    await button(page, "Link").click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    await button(page, "Close").click();
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await button(page, "Check assertion 2").waitFor();
    await fileTab(page, /^parts\/door.csp.*changed$/).click();
    assert.equal(readFileSync(door, "utf8"), DOOR);
    await button(page, "Save").click();
    await page.getByText("Saved.").waitFor();
    assert.equal(readFileSync(door, "utf8"), `${DOOR}assert DOOR :[deadlock free]\n`);
    assert.equal(readFileSync(script, "utf8"), HOUSE);

    // Somebody else has changed it.
    writeFileSync(door, DOOR);
    await typed(page, "parts/door.csp", "SHUT = close -> SHTU\n");
    const message = page.getByRole("region", { name: "Messages" });
    await message.getByText("SHTU").waitFor();
    await button(page, "Save").click();
    await page.getByRole("dialog").getByText(door).waitFor();
    assert.equal(readFileSync(door, "utf8"), DOOR);
    await button(page, "Keep editing").click();

    // A message leads to the file and the line that it is about.
    await fileTab(page, "house.csp").click();
    await isChosen(page, "house.csp");
    await message.getByRole("button", { name: "parts/door.csp, line 6" }).click();
    await isChosen(page, /^parts\/door.csp.*changed$/);
    await page.locator(".cm-activeLine").filter({ hasText: "SHTU" }).waitFor();
    await pictured(page, "file-tabs");
    await button(page, "Discard changes").click();
    await page.getByText("Included, and read only.").waitFor();

    // What is included newly is a tab too. It is saved once the saved script includes it.
    await fileTab(page, "house.csp").click();
    await typed(page, "Script", 'include "beside.csp"\n');
    await fileTab(page, "beside.csp").click();
    await button(page, "Edit beside.csp").click();
    await typed(page, "beside.csp", "channel knock\n");
    await button(page, "Save").click();
    await page.getByText(`save ${script} first`).waitFor();
    assert.equal(readFileSync(beside, "utf8"), "channel ring\n");
    await button(page, "Save all 2").click();
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    assert.equal(readFileSync(beside, "utf8"), "channel ring\nchannel knock\n");
    assert.equal(readFileSync(script, "utf8"), `${HOUSE}include "beside.csp"\n`);

    // A link has the changes of included files.
    await page.goto(link);
    await page.getByText("The link was opened.").waitFor();
    await fileTab(page, /^parts\/door.csp.*changed$/).click();
    assert.equal(await textOf(page, "parts/door.csp"), `${DOOR}assert DOOR :[deadlock free]\n`);
    // The one that was refused.
    assert.deepEqual(page.complaints.map((text) => text.match(/status of \d+/)?.[0] ?? text), ["status of 400"]);
  });

  test("are the script and what it includes: nothing else is read or written", async (context) => {
    const { folder, script, door, beside } = folderOf(context);
    const inner = mkdtempSync(join(folder, "inner-"));
    const own = join(inner, "own.csp");
    writeFileSync(own, 'include "../parts/door.csp"\n');
    const address = await served(context, own);
    const { origin } = new URL(address);
    const post = (path, body) => fetch(`${address}${path}`, { method: "POST", headers: { origin, "content-type": "application/json" }, body: JSON.stringify(body) });
    const read = await (await post("read", { file: door })).json();
    assert.equal(read.text, DOOR);
    const saved = await post("save", { file: door, text: "channel open\n", digest: read.digest });
    assert.equal((await saved.json()).saved, true);
    assert.equal(readFileSync(door, "utf8"), "channel open\n");
    for (const file of [beside, script, "/etc/passwd", join(inner, "../beside.csp"), join(inner, "none.csp"), inner]) {
      assert.equal((await post("read", { file })).status, 400, file);
      assert.equal((await post("save", { file, text: "channel a\n", digest: null })).status, 400, file);
    }
    assert.equal(readFileSync(beside, "utf8"), "channel ring\n");
    assert.ok(!existsSync(join(inner, "none.csp")));
    // The message names the rule.
    writeFileSync(door, DOOR);
    const page = await opened(chrome, await served(context, script));
    await typed(page, "Script", 'include "/etc/passwd"\ninclude "absent.csp"\n');
    const messages = page.getByRole("region", { name: "Messages" });
    await messages.getByText("/etc/passwd is outside of the folder of the script").waitFor();
    await messages.getByText("those that the script included when it was opened").waitFor();
    await messages.getByText(`there is no file ${join(folder, "absent.csp")}`).waitFor();
  });

  test("begin with a new one, which the first Save writes", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-new-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "new.csp");
    const page = listened(await chrome.browser.newPage());
    await page.goto(await served(context, script));
    await page.getByText("new, not saved").waitFor();
    await typed(page, "Script", "channel coin\nassert STOP [T= STOP\n");
    await button(page, "Check assertion 1").waitFor();
    assert.ok(!existsSync(script));
    await button(page, "Save").click();
    await page.getByText("Saved.").waitFor();
    assert.match(readFileSync(script, "utf8"), /^-- Channels come first[^]*\nchannel coin\nassert STOP \[T= STOP\n$/);
    assert.deepEqual(page.complaints, []);
    const refused = spawnSync(PROGRAM, ["explore", join(folder, "none/new.csp"), "--no-open"]);
    assert.equal(refused.status, 2);
    assert.match(String(refused.stderr), /there is no folder .*none/);
  });

  test("are written with the names of all files at hand", async (context) => {
    const { script, door } = folderOf(context);
    const page = await opened(chrome, await served(context, script), { bypassCSP: true });
    // A word that is typed is completed, and Enter leaves it as it is.
    await typed(page, "Script", "P = enter.1 -> ");
    await page.keyboard.type("HO");
    const names = page.getByRole("listbox", { name: "Completions" });
    await names.getByRole("option", { name: "HOUSE" }).waitFor();
    await pictured(page, "completion");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Q = DO");
    await names.getByRole("option", { name: "DOOR" }).waitFor();
    await page.keyboard.press("Enter");
    assert.match(await textOf(page, "Script"), /\nP = enter\.1 -> HOUSE\nQ = DO\n$/);
    for (let times = 0; times < 2; times += 1) await page.keyboard.press("Control+z");

    // Its type and the comment above it, its definition in the other file, and all its places.
    await page.locator(".cm-line").filter({ hasText: "assert DOOR" }).getByText("DOOR").first().hover();
    await page.getByText("DOOR :: Proc").waitFor();
    await page.getByText("opens and closes.").waitFor();
    await pictured(page, "hover");
    await page.locator(".cm-line").filter({ hasText: "assert DOOR" }).getByText("DOOR").first().click({ modifiers: ["Control"] });
    await isChosen(page, "parts/door.csp");
    await page.locator(".cm-activeLine").filter({ hasText: "DOOR = open" }).waitFor();
    await page.keyboard.press("Shift+F12");
    const places = page.getByRole("region", { name: "Places of DOOR" });
    await places.waitFor();
    assert.equal(await places.getByRole("listitem").count(), 5);
    await pictured(page, "places");
    await places.getByRole("button", { name: "line 5" }).first().click();
    await isChosen(page, "house.csp");
    await page.keyboard.press("F12");
    await isChosen(page, "parts/door.csp");

    // Another name, in all files.
    await page.keyboard.press("F2");
    await page.getByLabel("New name of DOOR").fill("GATE");
    await pictured(page, "rename");
    await page.keyboard.press("Enter");
    await page.getByText("DOOR is GATE now in").waitFor();
    assert.equal(await textOf(page, "parts/door.csp"), DOOR.replaceAll("DOOR", "GATE"));
    await fileTab(page, /^house.csp.*changed$/).click();
    assert.ok((await textOf(page, "Script")).startsWith(HOUSE.replaceAll("DOOR", "GATE")));
    await button(page, "Save all 2").click();
    await fileTab(page, /^parts\/door.csp$/).waitFor();
    assert.equal(readFileSync(door, "utf8"), DOOR.replaceAll("DOOR", "GATE"));
    assert.deepEqual(page.complaints, []);
  });

  test("stand beside the views in the width that the reader gives them, and break lines at blanks", async (context) => {
    const { script } = folderOf(context);
    const page = await opened(chrome, await served(context, script));
    const splitter = page.getByRole("separator", { name: "Width of the script" });
    const width = async () => Math.round((await page.getByRole("region", { name: "Script", exact: true }).boundingBox()).width);
    const usual = await width();
    await splitter.focus();
    await page.keyboard.press("Home");
    assert.equal(await width(), 240);
    assert.equal(await splitter.getAttribute("aria-valuenow"), "15");
    // No operator is broken, and a line goes on further in than it begins.
    const lines = await page.locator(".cm-line").evaluateAll((lines) => lines.map((line) => ({
      broken: [...line.querySelectorAll(".cm-whole")].filter((word) => new Set([...word.getClientRects()].map(({ top }) => Math.round(top))).size > 1).map((word) => word.textContent),
      starts: [...new Set([...line.querySelectorAll(".cm-whole")].map((word) => Math.round(word.getBoundingClientRect().top)))].length,
    })));
    assert.deepEqual(lines.flatMap(({ broken }) => broken), []);
    assert.ok(lines.some(({ starts }) => starts > 3), "a long line is wrapped");
    await pictured(page, "narrow");
    await page.keyboard.press("ArrowRight");
    assert.equal(await splitter.getAttribute("aria-valuenow"), "17");
    const { x, y, height } = await splitter.boundingBox();
    await page.mouse.move(x + 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(640, 300, { steps: 4 });
    await page.mouse.up();
    assert.equal(await splitter.getAttribute("aria-valuenow"), "50");
    assert.ok(Math.abs((await width()) - 640) < 4);
    await page.reload();
    await button(page, "Check assertion 1").waitFor();
    assert.equal(await splitter.getAttribute("aria-valuenow"), "50");
    await splitter.dblclick();
    assert.equal(await width(), usual);
    await page.setViewportSize({ width: 800, height: 800 });
    await splitter.waitFor({ state: "hidden" });
    await button(page, "Script").click();
    assert.equal(await width(), 800);
    assert.deepEqual(page.complaints, []);
  });
});
