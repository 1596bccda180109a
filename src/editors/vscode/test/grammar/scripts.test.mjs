// All scripts of the repository: nothing is marked as wrong, and nothing goes on behind the end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, loaded, scripts, tokens } from "./grammar.mjs";

const grammar = await loaded();

/** The words that end whatever goes on wrongly. */
const PROBE = "\n\nassert STOP [T= STOP";

test("every script of cspm/ and tests/scripts/", () => {
  const files = [...scripts("cspm"), ...scripts("tests/scripts")];
  assert.ok(files.length > 100, `there are ${files.length}`);
  for (const file of files) {
    const lines = tokens(grammar, readFileSync(join(ROOT, file), "utf8") + PROBE);
    const wrong = lines.flat().find(({ scopes }) => scopes.some((scope) => scope.startsWith("invalid")));
    assert.equal(wrong, undefined, file);
    assert.deepEqual(lines.at(-1).map(({ scopes }) => scopes.join(" ")), PROBED, file);
  }
});

const PROBED = tokens(grammar, PROBE).at(-1).map(({ scopes }) => scopes.join(" "));

test("what goes on is seen", () => {
  for (const open of ["{- a comment", "{- {- -}"]) {
    assert.notDeepEqual(tokens(grammar, open + PROBE).at(-1).map(({ scopes }) => scopes.join(" ")), PROBED, open);
  }
  for (const closed of ['"a string', "P :[deadlock free", "datatype T = A |", "channel c,", "external f,", "{- {- -} -}"]) {
    assert.deepEqual(tokens(grammar, closed + PROBE).at(-1).map(({ scopes }) => scopes.join(" ")), PROBED, closed);
  }
});
