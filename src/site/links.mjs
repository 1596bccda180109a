// Checks the links of the built site: each leads to a page that is there, and to a place in it; each page is led to.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LinkChecker } from "linkinator";
import { BUILT } from "./places.mjs";

/** Pages that mdBook makes for itself. */
const BESIDE = ["404.html", "toc.html"];

const origin = /^http:\/\/localhost:\d+\//;
const { links } = await new LinkChecker().check({
  path: ".",
  serverRoot: BUILT,
  recurse: true,
  checkFragments: true,
  // What others have on the web may be gone for a while, and says nothing about a change here.
  linksToSkip: (address) => Promise.resolve(!origin.test(address)),
});

/** The script that an address of the explorer asks for, or null of any other address. */
const scriptOf = (url) => (url.includes("explorer/index.html?") ? new URL(url, "http://localhost").searchParams.get("script") : null);

/** True of an address of the explorer. What follows `#` there says where to begin, and is no place in the page. */
const isBeginning = (url) => scriptOf(url) !== null && /#tab=/.test(url) && existsSync(join(BUILT, "explorer/openings", scriptOf(url)));

const unopened = links.filter(({ url }) => scriptOf(url) !== null && !existsSync(join(BUILT, "explorer/openings", scriptOf(url))));
const failed = links.filter(({ state, url }) => state === "BROKEN" && !isBeginning(url));
const broken = [...failed, ...unopened].map(({ url, parent, failureDetails }) => `${url}, in ${parent}${said(failureDetails)}`);
const visited = new Set(links.map(({ url }) => decodeURI(url.replace(origin, "").replace(/^\.\//, "").replace(/[?#].*$/, ""))));
const files = readdirSync(BUILT, { recursive: true }).filter((name) => name.endsWith(".html") && !BESIDE.includes(name));
const lost = files.filter((name) => !visited.has(name) && !(name === "index.html" && visited.has(""))).map((name) => `${name}: no page leads there`);

function said(details = []) {
  const reasons = details.map((detail) => detail.message ?? detail.statusText).filter(Boolean);
  return reasons.length > 0 ? ` (${reasons.join("; ")})` : "";
}

for (const problem of [...broken, ...lost]) process.stderr.write(`${problem}\n`);
process.stdout.write(`${links.filter(({ state }) => state === "OK").length} links lead somewhere, ${broken.length} do not; ${lost.length} of ${files.length} pages are lost.\n`);
process.exitCode = broken.length + lost.length > 0 ? 1 : 0;
