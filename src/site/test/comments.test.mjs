// Comments of scripts as people read them.
import { test } from "node:test";
import assert from "node:assert/strict";
import { commentAbove, commentHtml, firstComment, subjectOf, withoutSubject } from "../comments.mjs";

const SCRIPT = `-- A ring of N cells: it starts
-- N tasks.
--
-- Two kinds:
--
--   M  modified <x>
--      by one
--
-- * By a register: whoever
--   writes first.
-- * By votes.

------------------------------------------------------------
-- Assertions

-- 1. Fails: both wait.
-- Nobody goes on.
assert P :[deadlock free]
assert Q :[deadlock free]
`;

test("a comment ends where the script begins, and rules are no text", () => {
  assert.equal(firstComment(SCRIPT).length, 11);
  assert.deepEqual(commentAbove(SCRIPT, 18), ["1. Fails: both wait.", "Nobody goes on."]);
  assert.deepEqual(commentAbove(SCRIPT, 19), []);
  assert.deepEqual(commentAbove(SCRIPT, 14), []);
});

test("paragraphs, layouts and lists become HTML", () => {
  assert.equal(commentHtml(firstComment(SCRIPT)), [
    "<p>A ring of N cells: it starts N tasks.</p>",
    "<p>Two kinds:</p>",
    '<pre class="layout">M  modified &lt;x&gt;\n   by one</pre>',
    "<ul><li>By a register: whoever writes first.</li><li>By votes.</li></ul>",
  ].join("\n"));
});

test("the subject is how the first sentence begins", () => {
  assert.equal(subjectOf(firstComment(SCRIPT)), "A ring of N cells");
  assert.equal(subjectOf(["The bit protocol."]), "The bit protocol");
  assert.equal(subjectOf(["A queue: a list (by", "others)."]), "A queue");
  assert.equal(subjectOf(["A queue (by", "others)."]), "A queue");
  assert.throws(() => subjectOf([]), /what it is about/);
});

test("a first paragraph that is the subject is not said twice", () => {
  assert.deepEqual(withoutSubject(["The bit", "protocol.", "", "It flips."], "The bit protocol"), ["It flips."]);
  assert.deepEqual(withoutSubject(["The bit protocol."], "The bit protocol"), []);
  const more = ["The bit protocol: it", "flips."];
  assert.deepEqual(withoutSubject(more, "The bit protocol"), more);
});
