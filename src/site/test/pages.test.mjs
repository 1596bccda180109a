// Pages, and what leads to them; colours of code.
import { test } from "node:test";
import assert from "node:assert/strict";
import { drawnProcesses, modelFiles, modelPath, modelTarget, tally } from "../models.mjs";
import { Pages } from "../pages.mjs";

function some() {
  const pages = new Pages();
  pages.add({ path: "index.md", title: "cspsym", text: "", from: ["README.md"] });
  pages.add({ path: "manual/time.md", title: "Time", text: "", from: ["src/host/manual/time.md", "cspsym help time"], part: "Manual" });
  pages.add({ path: "models/abp/abp.md", title: "a_b", text: "", from: ["cspm/abp/abp.csp"], depth: 1 });
  return pages;
}

test("links of the repository and calls lead to pages", () => {
  const text = "[time](src/host/manual/time.md), `cspsym help time`, `cspm/abp/abp.csp`, `README.md`, [x](https://example.org).";
  assert.equal(some().text(text, { path: "index.md", file: "README.md" }),
    "[time](manual/time.md), [`cspsym help time`](manual/time.md), [`cspm/abp/abp.csp`](models/abp/abp.md), `README.md`, [x](https://example.org).");
  assert.equal(some().text("`cspm/abp/abp.csp`", { path: "manual/time.md", file: "src/host/manual/time.md" }), "[`cspm/abp/abp.csp`](../models/abp/abp.md)");
});

test("a link that leads nowhere in the site is a mistake, and so are two pages of one path", () => {
  assert.throws(() => some().text("[x](src/lib.rs)", { path: "index.md", file: "README.md" }), /README.md has a link to src\/lib.rs/);
  assert.throws(() => some().add({ path: "index.md", title: "x", text: "" }), /two pages/);
});

test("CSPm has its colours, and no marks of the page get lost in them", () => {
  const text = some().text("```csp\nP = a -> P |~| <STOP>\n\nQ = P\n```", { path: "index.md", file: "README.md" });
  assert.match(text, /^<pre class="shiki[^>]*><code class="nohighlight">/);
  assert.equal(text.replace(/<[^>]*>/g, "").replaceAll("&#x3C;", "<"), "P = a -> P |~| <STOP>\n\nQ = P");
});

test("the list of pages is what mdBook reads", () => {
  assert.equal(some().summary(), "# Summary\n\n- [cspsym](index.md)\n\n# Manual\n\n- [Time](manual/time.md)\n  - [a&#95;b](models/abp/abp.md)\n");
});

test("every shipped model is listed, the one of its folder first", () => {
  const files = modelFiles();
  assert.equal(new Set(files).size, files.length);
  assert.equal(files[0], "cspm/vending/vending.csp");
  const fischer = files.indexOf("cspm/fischer/fischer.csp");
  assert.equal(files[fischer + 1], "cspm/fischer/fischer-timed.csp");
  assert.ok(!files.some((file) => file.includes("/labs/")));
  assert.equal(modelPath("cspm/abp/abp.csp"), "models/abp/abp.md");
});

test("code in the list of models leads to their pages", () => {
  assert.equal(modelTarget("hanoi", "| `hanoi` | `POLES` |"), "hanoi/hanoi.md");
  assert.equal(modelTarget("hunger.csp", "| `philosophers` | `N` |"), "philosophers/hunger.md");
  assert.equal(modelTarget("leader/leader.csp", "| `leader/leader.csp` | `N` |"), "leader/leader.md");
  assert.equal(modelTarget("language", "| `language` | `LIMIT` |"), "language/operators.md");
  assert.equal(modelTarget("N", "| `hanoi` | `N` |"), null);
});

test("the system is drawn, else something that is asserted of", () => {
  const asserted = (...all) => all.map((process) => ({ process }));
  assert.deepEqual(drawnProcesses({ processes: ["A", "SYSTEM"], assertions: asserted("A") }), ["SYSTEM"]);
  assert.deepEqual(drawnProcesses({ processes: ["A", "B"], assertions: asserted("f(1)", "B", "A", "B") }), ["B", "A"]);
  assert.deepEqual(drawnProcesses({ processes: [], assertions: asserted("f(1)", "g") }), ["f(1)"]);
});

test("verdicts are counted", () => {
  const reports = (...all) => all.map((verdict) => ({ verdict }));
  assert.equal(tally(reports("pass", "fail", "pass")), "2 hold, 1 fails.");
  assert.equal(tally(reports("undecided", "pass")), "1 holds, 1 undecided.");
});
