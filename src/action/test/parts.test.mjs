// The parts of the action by themselves.

import assert from "node:assert/strict";
import test from "node:test";

import { concerned } from "../affected.mjs";
import { annotation } from "../annotations.mjs";
import { base } from "../changed.mjs";
import { findings, outcome } from "../findings.mjs";
import { suites, summary } from "../summary.mjs";

/** Texts of scripts, each with what it includes. */
function texts(includes, lacking = []) {
  const entries = Object.entries(includes).map(([name, others]) => [
    name,
    { files: [name, ...others], lacks: lacking.includes(name) },
  ]);
  return new Map(entries);
}

test("a change of a part concerns what includes it, and not the part alone", () => {
  const all = texts({ "a.csp": ["part.csp"], "b.csp": ["part.csp"], "c.csp": [], "part.csp": [] });
  assert.deepEqual(concerned(all, new Set(["part.csp"]), false), ["a.csp", "b.csp"]);
  assert.deepEqual(concerned(all, new Set(["c.csp"]), false), ["c.csp"]);
  assert.deepEqual(concerned(all, new Set(["README.md"]), false), []);
  assert.deepEqual(concerned(all, null, false), ["a.csp", "b.csp", "c.csp"]);
});

test("a part that nothing concerned includes is checked by itself", () => {
  const all = texts({ "a.csp": ["part.csp", "deep.csp"], "part.csp": ["deep.csp"], "deep.csp": [] });
  assert.deepEqual(concerned(all, new Set(["deep.csp"]), false), ["a.csp"]);
  assert.deepEqual(concerned(texts({ "deep.csp": [] }), new Set(["deep.csp"]), false), ["deep.csp"]);
});

test("of scripts that include each other one is checked", () => {
  const all = texts({ "two.csp": ["one.csp"], "one.csp": ["two.csp"] });
  assert.deepEqual(concerned(all, new Set(["two.csp"]), false), ["one.csp"]);
});

test("where a file is gone, scripts that lack one are concerned", () => {
  const all = texts({ "a.csp": [], "b.csp": [] }, ["b.csp"]);
  assert.deepEqual(concerned(all, new Set(["part.csp"]), true), ["b.csp"]);
  assert.deepEqual(concerned(all, new Set(["part.csp"]), false), []);
});

test("an event says what it compares with", () => {
  const pull = { pull_request: { base: { sha: "b1" } } };
  assert.equal(base("pull_request", pull), "b1");
  assert.equal(base("merge_group", { merge_group: { base_sha: "b2" } }), "b2");
  assert.equal(base("push", { before: "b3" }), "b3");
  assert.equal(base("push", { before: "0".repeat(40) }), null);
  assert.equal(base("schedule", {}), null);
});

test("no sign of a finding ends its command", () => {
  const finding = { level: "error", title: "A: b, c", message: "100 %\nnext", file: "a,b.csp" };
  const place = { line: 2, endLine: 2, column: 3, endColumn: 5 };
  assert.equal(
    annotation({ ...finding, ...place }),
    "::error file=a%2Cb.csp,line=2,endLine=2,col=3,endColumn=5,title=A%3A b%2C c::100 %25%0Anext",
  );
  // Over several lines columns mean nothing.
  assert.equal(
    annotation({ ...finding, ...place, endLine: 4 }),
    "::error file=a%2Cb.csp,line=2,endLine=4,title=A%3A b%2C c::100 %25%0Anext",
  );
});

test("findings have paths from the top of the repository", () => {
  const result = (uri) => ({
    level: "warning",
    ruleId: "undecided",
    message: { text: "it grows" },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 7 } } }],
  });
  const sarif = { runs: [{ results: [result("two%20words.csp"), result("../x.csp")] }] };
  const found = findings(sarif, "models\\deep");
  assert.deepEqual(found.map(({ file }) => file), ["models/deep/two words.csp", "models/x.csp"]);
  assert.deepEqual(
    [found[0].level, found[0].title, found[0].line],
    ["warning", "An assertion is undecided", 7],
  );
});

test("the step fails by what it is to fail by", () => {
  const statuses = [0, 1, 2, 3];
  const of = (failOn) => statuses.map((status) => outcome(status, failOn));
  assert.deepEqual(of("undecided"), [0, 1, 2, 3]);
  assert.deepEqual(of("failure"), [0, 1, 2, 0]);
  assert.deepEqual(of("error"), [0, 0, 2, 0]);
  assert.deepEqual(of("never"), [0, 0, 0, 0]);
  // A program that was killed has decided nothing.
  assert.equal(outcome(null, "never"), 1);
  assert.equal(outcome(101, "never"), 1);
});

test("a summary counts what holds, and lists what does not", () => {
  const junit =
    '<testsuites name="cspsym" tests="3"><testsuite name="a &amp; b|c.csp" tests="3" skipped="0" ' +
    'errors="1" failures="1" time="0.1"><testcase name="x"/></testsuite></testsuites>';
  const counts = { tests: 3, failures: 1, errors: 1 };
  assert.deepEqual(suites(junit), [{ name: "a & b|c.csp", ...counts }]);
  const finding = { title: "An assertion fails", message: "`P`\nis not", file: "a.csp", line: 4 };
  const text = summary(junit, Array(51).fill(finding));
  assert.match(text, /^\| `a & b\\\|c\.csp` \| 1 \| 1 \| 1 \|$/m);
  assert.match(text, /^- An assertion fails \(`a\.csp:4`\): `` `P` is not ``$/m);
  assert.match(text, /^- and 1 more$/m);
});
