// The parts of Markdown that the site changes.
import { test } from "node:test";
import assert from "node:assert/strict";
import { asMarkdown, replaced, titleOf } from "../markdown.mjs";

const found = (text) => {
  const parts = [];
  const noted = (kind) => (...said) => void parts.push([kind, ...said.slice(0, kind === "block" ? 2 : 1)]);
  const none = (kind) => (...said) => (noted(kind)(...said), null);
  assert.equal(replaced(text, { block: none("block"), link: none("link"), code: none("code") }), text);
  return parts;
};

test("code, links and blocks are found, each once", () => {
  assert.deepEqual(found("See `a` and [`b` c](d.md), ``e`f``.\n\n```csp\nP = `x` [y](z)\n```\n    `no code`\n"), [
    ["code", "a"], ["link", "d.md"], ["code", "e`f"], ["block", "P = `x` [y](z)", "csp"],
  ]);
});

test("brackets that are no links are left alone", () => {
  assert.deepEqual(found("P [] Q, (a), [x] (y), `P [T= Q](R)`."), [["code", "P [T= Q](R)"]]);
});

test("parts are replaced", () => {
  const changed = replaced("[a](b.md#c) `d` ![e](f.svg)\n```csp\nx\n```", {
    block: (code, language) => `<pre>${language}: ${code}</pre>`,
    link: (address) => address.replace(".md", ".html"),
    code: (inner) => `${inner}.html`,
  });
  assert.equal(changed, "[a](b.html#c) [`d`](d.html) ![e](f.svg)\n<pre>csp: x</pre>");
});

test("a block that does not end is a mistake", () => {
  assert.throws(() => replaced("```csp\nP = STOP\n", {}), /no end: P = STOP/);
});

test("a title is the first heading, and is needed", () => {
  assert.equal(titleOf("text\n\n# Time\n\n# Other\n"), "Time");
  assert.throws(() => titleOf("no heading"), /no title/);
});

test("what is said in Markdown is said as it is", () => {
  assert.equal(asMarkdown("a_b* <c>"), "a&#95;b&#42; &#60;c&#62;");
});
