// The parts of the action by themselves.

import assert from "node:assert/strict";
import test from "node:test";

import { concerned } from "../affected.mjs";
import { annotation } from "../annotations.mjs";
import { base } from "../changed.mjs";
import { findings, fromTop, outcome, unsaid } from "../findings.mjs";
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
  const uris = ["two%20words.csp", "../x.csp", "/a/x.csp", "file:///a/x.csp"];
  const text = JSON.stringify({ runs: [{ results: uris.map(result) }] });
  const document = fromTop(text, "models\\so deep");
  const places = document.runs[0].results.map(({ locations }) => locations[0].physicalLocation);
  assert.deepEqual(
    places.map(({ artifactLocation }) => artifactLocation.uri),
    ["models/so%20deep/two%20words.csp", "models/x.csp", "/a/x.csp", "file:///a/x.csp"],
  );
  assert.deepEqual(fromTop(text, ""), JSON.parse(text));
  const found = findings(document);
  assert.deepEqual(
    found.map(({ file }) => file),
    ["models/so deep/two words.csp", "models/x.csp", "/a/x.csp", undefined],
  );
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

test("a step that fails says why, whatever the findings say", () => {
  const said = "warning: x\nerror[empty-sequence]: `head`\n  2 | print\n\n";
  const of = (found, status, failOn = "undecided", words = said) =>
    unsaid(found, status, failOn, words).map(({ level, message }) => `${level}: ${message}`);
  const [fails, mistake, undecided] = ["fails", "error", "undecided"].map((rule) => ({ rule }));
  const shown = "error: error[empty-sequence]: `head`\n  2 | print";
  assert.deepEqual(of([], 0), []);
  assert.deepEqual(of([undecided, fails], 1), []);
  assert.deepEqual(of([fails, mistake], 2), []);
  // A mistake stands above a failing assertion and an undecided one.
  assert.deepEqual(of([fails, undecided], 2), [shown]);
  assert.deepEqual(of([fails], 2, "never"), [shown]);
  assert.deepEqual(of([], 1), [shown]);
  assert.deepEqual(of([undecided], 3, "failure"), []);
  assert.match(of([undecided], 3).join(), /^error: .*`fail-on: failure`/);
  assert.deepEqual(of([], 3), [shown]);
  assert.deepEqual(of([fails], "SIGKILL", "never", ""), ["error: cspsym check has ended with SIGKILL"]);
  const [{ message }] = unsaid([], 2, "error", "x".repeat(10_000));
  assert.equal(message.length, 4096);
});

test("a summary counts what holds, and lists what does not", () => {
  const junit =
    '<testsuites name="cspsym" tests="7"><testsuite name="a &amp; b|c.csp" tests="6" skipped="0" ' +
    'errors="3" failures="1" time="0.1"><testcase name="x"/><testcase name="y">' +
    '<error message="type=&quot;undecided" type="error (x)">x</error></testcase><testcase name="z">' +
    '<error message="m" type="undecided (y)">\n</error></testcase><testcase name="z">' +
    '<error message="m" type="undecided">\n</error></testcase></testsuite>\n' +
    '<testsuite name="d.csp" tests="1" errors="1" failures="0"><testcase name="d.csp">' +
    '<error message="m" type="error (syntax)">x</error></testcase></testsuite></testsuites>';
  const counts = { tests: 6, failures: 1, undecided: 2, mistakes: 1 };
  const other = { name: "d.csp", tests: 1, failures: 0, undecided: 0, mistakes: 1 };
  assert.deepEqual(suites(junit), [{ name: "a & b|c.csp", ...counts }, other]);
  const finding = { title: "An assertion fails", message: "`P`\nis not", file: "a.csp", line: 4 };
  const text = summary(junit, Array(51).fill(finding));
  assert.match(text, /^\| `a & b\\\|c\.csp` \| 2 \| 1 \| 2 \| 1 \|$/m);
  assert.match(text, /^\| `d\.csp` \| 0 \| 0 \| 0 \| 1 \|$/m);
  assert.match(text, /^- An assertion fails \(`a\.csp:4`\): `` `P` is not ``$/m);
  assert.match(text, /^- and 1 more$/m);
});
