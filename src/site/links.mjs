// Checks the links of the built site: each leads to a page that is there, and to a place in it; each page is led to.
import { readdirSync } from "node:fs";
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

const broken = links.filter(({ state }) => state === "BROKEN").map(({ url, parent, failureDetails }) => `${url}, in ${parent}${said(failureDetails)}`);
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
