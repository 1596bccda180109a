// The page of `cspsym explore` in a real browser, looked at through roles and texts.
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM, ROOT, atDeadlock, launched, opened, options, pictured, served, violations } from "./browser.mjs";

const VIEWS = ["Assertions", "Step", "Game", "Graph", "Structure", "Symmetry"];

const walkOf = async (page, process) => {
  await page.getByRole("tab", { name: "Step" }).click();
  await page.getByLabel("Process").fill(process);
  await page.getByRole("button", { name: "Walk" }).click();
  await page.getByText("at the start").waitFor();
};
const choices = (page) => page.getByRole("region", { name: "What can happen next" }).getByRole("listitem");
const names = (page) => page.locator(".choices .event").allTextContents();

describe("the explorer", options, () => {
  const chrome = launched();

  test("finds a deadlock, steps through it, and says who waits for whom", async (context) => {
    const address = await served(context, "cspm/philosophers/philosophers.csp");
    const page = await opened(chrome, address);
    await atDeadlock(page);
    await page.getByLabel("Event", { exact: true }).fill("pick.0.1");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText("cannot happen now.").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("steps by keys alone, back and forward again", async (context) => {
    const address = await served(context, "cspm/vending/vending.csp");
    const page = await opened(chrome, address);
    await walkOf(page, "MOOD");
    await page.getByRole("tabpanel").focus();
    await page.keyboard.press("1");
    await page.getByText("after 1 step").waitFor();
    assert.deepEqual(await names(page), ["τ", "τ #2"]);
    await page.keyboard.press("2");
    await page.getByText("after 2 steps").waitFor();
    assert.deepEqual(await names(page), ["toffee"]);
    await page.keyboard.press("ArrowLeft");
    await page.getByText("after 1 step", { exact: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("after 2 steps").waitFor();
    await page.keyboard.press("Home");
    await page.getByText("at the start").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("takes the same steps as the terminal", async (context) => {
    const script = "cspm/dijkstra/dijkstra.csp";
    const address = await served(context, script);
    const page = await opened(chrome, address);
    await walkOf(page, "DIJKSTRA");
    let seed = 7;
    const taken = [];
    for (let step = 1; step <= 200; step += 1) {
      const count = await choices(page).count();
      seed = (seed * 48271) % 2147483647;
      const pick = seed % count;
      taken.push(String(pick + 1));
      await choices(page).nth(pick).getByRole("button").click();
      await page.getByText(step === 1 ? "after 1 step" : `after ${step} steps`, { exact: true }).waitFor();
    }
    const there = await names(page);
    const typed = execFileSync(PROGRAM, ["step", script, "DIJKSTRA"], { cwd: ROOT, input: `${taken.join("\n")}\n` });
    const last = String(typed).split("\nstep 200: ").at(-1).split("\n").slice(1);
    const told = last.map((line) => line.match(/^\s+\d+\s{2}(.*?)\s*\[/)?.[1]).filter(Boolean);
    assert.deepEqual(there, told);
  });

  test("shows the views that decide for every number of processes", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "door.csp");
    writeFileSync(script, `N = 2
ID = {1..N}
channel enter, leave : ID
CLIENT(i) = enter.i -> leave.i -> CLIENT(i)
DOOR = enter?i -> leave.i -> DOOR
SYSTEM = (||| i : ID @ CLIENT(i)) [| {| enter, leave |} |] DOOR
-- for all N
assert DOOR [T= SYSTEM
`);
    const page = await opened(chrome, await served(context, script), { bypassCSP: true });
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).click();
    await page.getByText("N = 1 to 3 decided; from 4 on 3 views").waitFor();
    await page.getByRole("button", { name: "Show the views" }).click();
    const views = page.getByRole("region", { name: "Views of assertion 1" });
    await views.waitFor();
    assert.deepEqual(await views.getByRole("columnheader").allTextContents(), ["DOOR", "CLIENT(i)", "DOORspecification"]);
    const rows = await views.getByRole("row").filter({ has: page.getByRole("cell") }).all();
    const cells = await Promise.all(rows.map((row) => row.getByRole("cell").allTextContents()));
    assert.deepEqual(cells, [
      ["DOOR", "CLIENT(i)", "DOOR"],
      ["leave.i -> DOOR", "leave.i -> CLIENT(i)", "leave.i -> DOOR"],
      ["leave.* -> DOOR", "CLIENT(i)", "leave.* -> DOOR"],
    ]);
    assert.deepEqual(await violations(page), []);
    await pictured(page, "views");
    assert.deepEqual(page.complaints, []);
  });

  test("walks the instance that fails of what is asked for every number of processes", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const script = join(folder, "room.csp");
    writeFileSync(script, `N = 2
ID = {1..N}
channel enter, leave : ID
GUEST(i) = enter.i -> leave.i -> GUEST(i)
ROOM(n) = n < 3 & enter?i -> ROOM(n + 1) [] n > 0 & leave?i -> ROOM(n - 1)
-- for all N
assert ROOM(0) [T= ||| i : ID @ GUEST(i)
`);
    const page = await opened(chrome, await served(context, script), { bypassCSP: true });
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).click();
    await page.getByText("it fails with N = 4").waitFor();
    await page.getByRole("button", { name: "Step through it" }).click();
    await page.getByText("after 4 steps").waitFor();
    await page.getByText("In the instance N=4").waitFor();
    // What follows is asked in the same instance.
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText("at the start").waitFor();
    assert.equal((await names(page)).length, 4);
    assert.deepEqual(await violations(page), []);
    await pictured(page, "instance");
    assert.deepEqual(page.complaints, []);
  });

  test("shows mistakes where they are, keeps drafts, and saves over what was read alone", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    const script = join(folder, "lift.csp");
    writeFileSync(script, "channel up, down\nLIFT = up -> down -> LIFT\nassert LIFT :[deadlock free]\n");
    const address = await served(context, script);
    const page = await opened(chrome, address);
    const editor = page.getByRole("textbox", { name: "Script" });
    await editor.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("P = LITF");
    await page.getByText("unknown-name").waitFor();
    await page.getByText("changed, not saved").waitFor();
    page.once("dialog", (dialog) => dialog.accept());
    await page.reload();
    await page.getByText("unknown-name").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    assert.match(readFileSync(script, "utf8"), /P = LITF$/);
    writeFileSync(script, "channel other\n");
    await editor.click();
    await page.keyboard.type(" ");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The file was changed by somebody else").waitFor();
    assert.equal(readFileSync(script, "utf8"), "channel other\n");
    await page.getByRole("button", { name: "Take theirs, and lose mine" }).click();
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    rmSync(folder, { recursive: true });
  });

  test("opens a link with the script, the process and the steps, and refuses a damaged one", async (context) => {
    const first = await served(context, "cspm/vending/vending.csp");
    const page = await opened(chrome, first);
    await walkOf(page, "MOOD");
    await choices(page).first().getByRole("button").click();
    await page.getByText("after 1 step").waitFor();
    await page.getByRole("button", { name: "Link", exact: true }).click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    const second = await served(context, "cspm/hanoi/hanoi.csp");
    const other = await opened(chrome, second);
    await other.getByRole("button", { name: "Open a link" }).click();
    await other.getByRole("textbox", { name: "Link" }).fill(`${link.slice(0, -8)}AAAAAAAA`);
    await other.getByRole("button", { name: "Open", exact: true }).click();
    await other.getByText("the link is damaged").waitFor();
    await other.getByRole("textbox", { name: "Link" }).fill(link);
    await other.getByRole("button", { name: "Open", exact: true }).click();
    await other.getByText("after 1 step").waitFor();
    assert.deepEqual(await names(other), ["τ", "τ #2"]);
  });

  test("draws machines, and lists symmetries", async (context) => {
    const address = await served(context, "cspm/hanoi/hanoi.csp");
    const page = await opened(chrome, address);
    await page.getByRole("tab", { name: "Structure" }).click();
    await page.getByLabel("Process").fill("HANOI");
    await page.getByRole("button", { name: "Compile" }).click();
    await page.getByRole("img", { name: "The machine of HANOI" }).waitFor();
    await page.getByRole("tab", { name: "Symmetry" }).click();
    await page.getByRole("button", { name: "Find symmetries" }).click();
    await page.getByText("6 symmetries").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`can be used by everybody, ${colorScheme}`, async (context) => {
      const address = await served(context, "cspm/vending/vending.csp");
      for (const width of [1280, 800]) {
        const page = await opened(chrome, address, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
        await page.getByRole("button", { name: "Check all" }).click();
        await page.getByText("not decided yet").waitFor({ state: "detached" });
        for (const view of VIEWS) {
          await page.getByRole("tab", { name: view }).click();
          if (view === "Step") await walkOf(page, "MOOD");
          if (view === "Graph") await page.getByRole("button", { name: "Draw", exact: true }).click();
          if (view === "Structure") await page.getByRole("button", { name: "Compile" }).click();
          if (view === "Symmetry") await page.getByRole("button", { name: "Find symmetries" }).click();
          await page.getByText("working…").waitFor({ state: "detached" });
          await pictured(page, `${view}-${colorScheme}-${width}`);
          assert.deepEqual(await violations(page), [], `${view}, ${width}`);
        }
        await page.close();
      }
    });
  }

  test("is served to nobody else", async (context) => {
    const address = await served(context, "cspm/vending/vending.csp");
    const url = new URL(address);
    const status = (path, { method = "GET", headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const asked = request({ host: "127.0.0.1", port: url.port, path, method, headers }, (answer) => {
          answer.resume();
          resolve(answer);
        });
        asked.on("error", reject);
        asked.end(body);
      });
    const own = { origin: url.origin, "content-type": "application/json" };
    const at = `${url.pathname}api`;
    const body = JSON.stringify({ method: "assertions", file: "cspm/vending/vending.csp" });
    const page = await status(url.pathname);
    assert.equal(page.statusCode, 200);
    assert.match(page.headers["content-security-policy"], /default-src 'none'/);
    assert.equal((await status("/")).statusCode, 404, "without the token");
    assert.equal((await status("/0000/")).statusCode, 404, "with another token");
    assert.equal((await status(`${url.pathname}../../etc/passwd`)).statusCode, 404, "a path that goes up");
    assert.equal((await status(url.pathname, { headers: { host: "evil.example" } })).statusCode, 421, "another host");
    assert.equal((await status(url.pathname, { headers: { host: `localhost:${url.port}` } })).statusCode, 421, "another name");
    assert.equal((await status(url.pathname, { headers: { origin: "http://evil.example" } })).statusCode, 403, "another origin");
    assert.equal((await status(at, { method: "POST", headers: own, body })).statusCode, 200);
    assert.equal((await status(at, { method: "POST", headers: { ...own, origin: "null" }, body })).statusCode, 403, "no origin that is ours");
    assert.equal((await status(at, { method: "POST", headers: { "content-type": "application/json" }, body })).statusCode, 403, "no origin");
    assert.equal((await status(at, { method: "POST", headers: { origin: url.origin, "content-type": "text/plain" }, body })).statusCode, 415, "a form");
    assert.equal((await status(url.pathname, { method: "DELETE" })).statusCode, 405);
    for (const hosts of [[url.host, "evil.example"], ["evil.example", url.host], [url.host, url.host]]) {
      const headers = hosts.flatMap((host) => ["Host", host]);
      assert.equal((await status(url.pathname, { headers })).statusCode, 400, `two hosts: ${hosts}`);
    }
  });

  test("answers those who know the token, whoever else holds connections open", async (context) => {
    const address = new URL(await served(context, "cspm/vending/vending.csp"));
    const open = (sent) =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(address.port), "127.0.0.1", () => socket.write(sent, () => resolve(socket)));
        socket.on("error", reject);
        context.after(() => socket.destroy());
      });
    // One that knows the token is kept, though it stays open longer than all others.
    const known = await open(`GET ${address.pathname} HTTP/1.1\r\nHost: ${address.host}\r\n\r\n`);
    await once(known, "data");
    const silent = [];
    for (let count = 0; count < 200; count += 1) {
      const socket = await open("GET / HTTP/1.1\r\nHost: ");
      socket.on("error", () => {}).on("close", () => (socket.isGone = true)).resume();
      silent.push(socket);
    }
    assert.equal((await fetch(address)).status, 200);
    // It was answered while others were open still, and not when their time was over.
    assert.ok(silent.slice(-60).every((socket) => !socket.isGone));
    known.write(`GET ${address.pathname}nothing HTTP/1.1\r\nHost: ${address.host}\r\n\r\n`);
    assert.match(String((await once(known, "data"))[0]), /^HTTP\/1.1 404/);
  });

  test("tells the token to nobody who sees how the browser was started", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const told = join(folder, "told");
    writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\nprintf %s "$1" >"${told}.new" && mv "${told}.new" "${told}"\n`, { mode: 0o755 });
    const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const child = spawn(PROGRAM, ["explore", "cspm/vending/vending.csp"], { cwd: ROOT, env: environment, stdio: ["ignore", "pipe", "ignore"] });
    context.after(() => child.kill());
    const [first] = await once(child.stdout, "data");
    const address = new URL(String(first).trim());
    while (!existsSync(told)) await new Promise((done) => setTimeout(done, 20));
    const invitation = readFileSync(told, "utf8");
    assert.ok(invitation.startsWith(address.origin) && !invitation.includes(address.pathname));
    assert.equal((await fetch(`${invitation.slice(0, -1)}g`, { redirect: "manual" })).status, 404);
    const page = await chrome.browser.newPage();
    await page.goto(invitation);
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).waitFor();
    assert.equal(page.url().split("#")[0], address.href);
    assert.equal((await fetch(invitation, { redirect: "manual" })).status, 403, "it works once");
    // Nobody knows who of the two was meant.
    assert.equal((await fetch(address)).status, 403);
  });

  test("reads no file from outside the folder of the script", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "cspsym-page-"));
    writeFileSync(join(folder, "secret.csp"), "channel secret_event\n");
    const inner = mkdtempSync(join(folder, "inner-"));
    const script = join(inner, "p.csp");
    copyFileSync(join(ROOT, "cspm/vending/vending.csp"), script);
    const address = await served(context, script);
    const { origin } = new URL(address);
    const ask = async (body) => {
      const answer = await fetch(`${address}api`, { method: "POST", headers: { origin, "content-type": "application/json" }, body: JSON.stringify(body) });
      return answer.text();
    };
    const included = await ask({ method: "problems", file: script, files: { [script]: 'include "../secret.csp"\n' } });
    assert.match(included, /include-outside-root/);
    const named = await ask({ method: "problems", file: join(folder, "secret.csp") });
    assert.match(named, /outside of the folder of the script/);
    assert.doesNotMatch(included + named, /secret_event/);
    rmSync(folder, { recursive: true });
  });
});
