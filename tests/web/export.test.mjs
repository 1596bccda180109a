// The page as a folder, with the program as WebAssembly: built by `cargo build --release --target wasm32-wasip1`.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { PROGRAM, ROOT, WASM, launched, opened, options, pictured, toured, violations } from "./browser.mjs";

const KINDS = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const skip = options.skip || (existsSync(WASM) ? false : "the program was not built as WebAssembly");

describe("the page without a server of its own", { skip }, () => {
  const chrome = launched();
  const folder = mkdtempSync(join(tmpdir(), "cspsym-export-"));
  let server;
  let origin;
  before(async () => {
    server = createServer(({ url }, answer) => {
      const file = join(folder, decodeURI(url.split("?")[0]).replace(/\/$/, "/index.html"));
      if (!existsSync(file)) return answer.writeHead(404).end();
      answer.writeHead(200, { "content-type": KINDS[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  /** The export of a script to a folder. */
  const exporting = (name, script, ...more) =>
    spawnSync(PROGRAM, ["explore", script, "--export", join(folder, name), "--program", WASM, ...more], { cwd: ROOT });

  /** The address of the exported page of a script. */
  function exported(name, script, ...more) {
    const { status, stderr } = exporting(name, script, ...more);
    assert.equal(status, 0, String(stderr));
    return `${origin}/${name}/`;
  }

  /** Writes a file into the folder of the tests. */
  function written(name, text) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  test("decides and steps as the program does, and asks nobody", async () => {
    const page = await opened(chrome, exported("philosophers", "cspm/philosophers/philosophers.csp"), { colorScheme: "dark" });
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await toured(page);
    // Workers load their own files, and nothing is sent with that; a drawing that becomes a picture is in its address.
    assert.deepEqual(asked.filter((url) => !/\/(worker|wasi)\.js$|^(data|blob):/.test(url)), []);
    assert.deepEqual(page.complaints, []);
  });

  test("has what the script includes, and keeps drafts", async () => {
    written("source/inner/part.csp", "channel a, b\nP = Q\n");
    const beside = written("beside.csp", "Q = R\n");
    written("beside/absolute.csp", "R = a -> b -> Q\n");
    const includes = ["inner/part.csp", "../beside.csp", join(dirname(beside), "beside/absolute.csp")];
    const script = written("source/whole.csp", `${includes.map((name) => `include "${name}"\n`).join("")}assert P :[deadlock free]\n`);
    const page = await opened(chrome, exported("whole", script));
    await page.getByRole("button", { name: "Check all" }).click();
    await page.getByText(/^1 holds?, 0 fail/).waitFor();
    await page.getByRole("textbox", { name: "Script" }).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("assert STOP [T= P");
    await page.getByRole("button", { name: "Check assertion 2", exact: true }).waitFor();
    await page.getByRole("button", { name: "Check all" }).click();
    await page.getByText(/^1 holds?, 1 fails?/).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download", exact: true }).click()]);
    assert.equal(download.suggestedFilename(), "whole.csp");
    assert.match(readFileSync(await download.path(), "utf8"), /assert STOP \[T= P$/m);
    await page.reload();
    await page.getByRole("button", { name: "Check assertion 2", exact: true }).waitFor();

    // Included files have tabs, are edited, and downloaded each by itself.
    const files = page.getByRole("tablist", { name: "Files" });
    assert.deepEqual(await files.getByRole("tab").allTextContents(), ["whole.csp ●, changed", "inner/part.csp", "../beside.csp", includes[2]]);
    await files.getByRole("tab", { name: "inner/part.csp" }).click();
    await page.getByRole("button", { name: "Edit inner/part.csp" }).click();
    await page.getByRole("textbox", { name: "inner/part.csp" }).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("assert P :[divergence free]");
    await page.getByRole("button", { name: "Check assertion 3", exact: true }).waitFor();
    const [part] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download", exact: true }).click()]);
    assert.equal(part.suggestedFilename(), "part.csp");
    assert.match(readFileSync(await part.path(), "utf8"), /^channel a, b\nP = Q\nassert P :\[divergence free\]$/);
    await page.reload();
    await page.getByRole("button", { name: "Check assertion 3", exact: true }).waitFor();
    await files.getByRole("tab", { name: /^inner\/part.csp.*changed$/ }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: "Check assertion 3", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(page.complaints, []);

    // A link shows what it holds, and leaves the reader's own draft alone.
    await page.getByRole("button", { name: "Link", exact: true }).click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
    const same = 'include "inner/part.csp"\ninclude "../beside.csp"\nR = STOP\nassert P :[deadlock free]\n';
    const other = await opened(chrome, exported("other", written("source/other.csp", same)));
    await other.getByRole("textbox", { name: "Script" }).focus();
    await other.keyboard.press("Control+End");
    await other.keyboard.type("-- mine");
    await other.goto(other.url() + link.slice(link.indexOf("#")));
    await other.getByText("The link was opened.").waitFor();
    await other.getByText("R = STOP").waitFor({ state: "detached" });
    other.on("dialog", (dialog) => dialog.accept());
    await other.goto(`${origin}/other/index.html`);
    await other.getByText("-- mine").waitFor();
  });

  test("replaces pages and nothing else", () => {
    const own = written("own/index.html", "mine");
    const { status, stderr } = exporting("own", "cspm/vending/vending.csp");
    assert.equal(status, 2);
    assert.match(String(stderr), /has other files, such as index.html/);
    assert.equal(readFileSync(own, "utf8"), "mine");
    // A page of before is replaced.
    exported("again", "cspm/vending/vending.csp");
    exported("again", "cspm/vending/vending.csp");
  });

  test("says what is wrong with the program, and asks for it again", async () => {
    const address = exported("damaged", "cspm/vending/vending.csp");
    const whole = readFileSync(join(folder, "damaged/cspsym.wasm"));
    writeFileSync(join(folder, "damaged/cspsym.wasm"), whole.subarray(0, 1000));
    const page = await chrome.browser.newPage();
    await page.goto(address);
    await page.getByText("the program cannot be loaded").waitFor();
    writeFileSync(join(folder, "damaged/cspsym.wasm"), whole);
    await page.getByRole("textbox", { name: "Script" }).focus();
    await page.keyboard.type(" ");
    await page.getByRole("button", { name: "Check assertion 1", exact: true }).waitFor();
  });

  test("says that the program is of another version than the page", async () => {
    const address = exported("older", "cspm/vending/vending.csp");
    const opening = join(folder, "older/opening");
    const start = JSON.parse(readFileSync(opening, "utf8"));
    writeFileSync(opening, JSON.stringify({ ...start, version: "0.0.1" }));
    const page = await chrome.browser.newPage();
    await page.goto(address);
    await page.getByText(`its version is ${start.version}, and that of the page 0.0.1; export the page again`).waitFor();
  });

  test("says that a script nests too deeply for a browser", async () => {
    const deep = `P = ${"(".repeat(20000)}STOP${")".repeat(20000)}\nassert P :[deadlock free]\n`;
    const page = await chrome.browser.newPage();
    await page.goto(exported("deep", written("source/deep.csp", deep)));
    await page.getByText("nests more deeply than a browser allows").first().waitFor();
  });

  test("stops a check, and goes on", async () => {
    const page = await opened(chrome, exported("dijkstra", "cspm/dijkstra/dijkstra.csp", "-D", "N=4"));
    await page.getByRole("button", { name: "Check all" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("none decided yet").waitFor();
    await page.getByRole("tab", { name: "Step" }).click();
    await page.getByLabel("Process").fill("DIJKSTRA");
    await page.getByRole("button", { name: "Walk" }).click();
    await page.getByText("at the start").waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test("can be used by everybody", async () => {
    spawnSync(PROGRAM, ["lab", "start", "hanoi", join(folder, "hanoi")]);
    const address = exported("lab", join(folder, "hanoi/start.csp"));
    const page = await chrome.browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    await page.goto(address);
    await page.getByRole("heading", { name: "Task 1:" }).waitFor();
    await page.getByRole("button", { name: "Check task 1" }).click();
    await page.locator(".feedback").waitFor();
    await pictured(page, "export");
    assert.deepEqual(await violations(page), []);
  });
});
