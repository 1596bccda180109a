// What the tests of the built site share: a server for it, and a browser.
import { after, before } from "node:test";
import { createServer } from "node:http";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { BUILT } from "../../places.mjs";

const KINDS = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".png": "image/png", ".woff2": "font/woff2" };
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How many milliseconds something may take until it is there, on a machine that does much else beside. */
const PATIENCE = 120_000;

if (!BROWSER && process.env.CI === "true") throw new Error("there is no chromium to look at the site with");
/** What `describe` is given: without a browser nothing is tested. */
export const options = { skip: BROWSER ? false : "there is no chromium" };

/** The site under the path `/cspsym/`, as a host offers it, and a browser, for the tests of this `describe`. */
export function offered() {
  const site = {};
  let server;
  before(async () => {
    server = createServer(({ url }, answer) => {
      const name = decodeURI(url.split("?")[0]).replace(/^\/cspsym\//, "").replace(/(^|\/)$/, "$1index.html");
      const file = join(BUILT, name);
      if (!url.startsWith("/cspsym/") || !existsSync(file) || !statSync(file).isFile()) return answer.writeHead(404).end();
      answer.writeHead(200, { "content-type": KINDS[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    site.address = `http://127.0.0.1:${server.address().port}/cspsym/`;
    site.browser = await chromium.launch({ executablePath: BROWSER, args: ARGUMENTS });
  });
  after(async () => {
    await site.browser?.close();
    server?.close();
  });
  return site;
}

/** The page at `path`, and what it complains about on the console, in `page.complaints`. */
export async function opened(site, path, look = {}) {
  const page = await site.browser.newPage({ viewport: { width: 1280, height: 900 }, ...look });
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.goto(site.address + path);
  return page;
}

/** What axe-core says that not everybody can use in the text of `page`; around it is mdBook's own. */
export async function violations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run("main"));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(" ")}`);
}

/** A picture of what is seen of `page`, if somebody wants one. */
export async function pictured(page, name) {
  const { PICTURES } = process.env;
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}
