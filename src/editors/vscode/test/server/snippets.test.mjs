// The snippets as they are written without a word of the user: all can be read, and the model is right.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXTENSION } from "../grammar/grammar.mjs";
import { PROGRAM, options } from "./program.mjs";

const snippets = Object.entries(JSON.parse(readFileSync(join(EXTENSION, "snippets/cspm.json"), "utf8")));
/** The messages that say that a text is no CSPm, whatever its names mean. */
const UNREADABLE = /error\[(?!unknown-name|type-|not-|unknown-built)/;

/** The text of a snippet: the first choice, and what stands in for what is to be written. */
function written(body) {
  const text = body.join("\n").replace(/\$\{\d+\|([^,|]*)[^}]*\|\}/g, "$1").replace(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, "$1");
  return text.replace(/\$0/g, "").replace(/\\([}$\\])/g, "$1");
}

function said(text, ...args) {
  const { stdout, stderr } = spawnSync(PROGRAM, [...args, "-"], { input: text, encoding: "utf8" });
  return stdout + stderr;
}

for (const [name, { body, prefix }] of snippets) {
  test(`the snippet ${prefix}`, options, () => {
    const text = written(body);
    const isDeclaration = /^(channel|datatype|nametype|assert|module|instance|Timed|--)/.test(text) || /^\w+(\(\w+\))? =/.test(text);
    const within = /^let/.test(text) ? `X =\n${text}STOP` : /-> $/.test(text) ? `X = ${text}STOP` : isDeclaration ? text : `X = ${text}`;
    assert.doesNotMatch(said(`${within}\n`, "typecheck"), UNREADABLE, `${name}:\n${within}`);
  });
}

test("the assertions of the small model hold", options, () => {
  const [, { body }] = snippets.find(([, { prefix }]) => prefix === "model");
  const verdicts = [...said(`${written(body)}\n`, "check").matchAll(/^assert .*: (\w+)/gm)].map(([, verdict]) => verdict);
  assert.deepEqual(verdicts, ["holds", "holds"]);
});
