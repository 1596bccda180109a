// The grammar against the server: comments, texts and numbers are the same for both, in every script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loaded, scripts, tokens } from "../grammar/grammar.mjs";
import { connected, opened, options } from "./program.mjs";

/** What a word of the grammar must be for the server's types of tokens. */
const SCOPES = { comment: /^comment\./, string: /^string\./, number: /^constant\.numeric\./ };

test("colours without and with the server agree", options, async (context) => {
  const grammar = await loaded();
  const { connection, abilities } = await connected(context);
  const { tokenTypes } = abilities.semanticTokensProvider.legend;
  let compared = 0;
  for (const path of [...scripts("cspm"), ...scripts("tests/scripts")]) {
    const { uri, text } = await opened(connection, path);
    const { data } = await connection.sendRequest("textDocument/semanticTokens/full", { textDocument: { uri } });
    const said = typed(data, tokenTypes);
    const read = tokens(grammar, text);
    const lines = text.split(/\r?\n/);
    for (const [line, words] of read.entries()) {
      for (let column = 0; column < lines[line].length; column += 1) {
        if (/\s/.test(lines[line][column])) continue;
        const scopes = words.find(({ start, end }) => start <= column && column < end)?.scopes ?? [];
        const mine = Object.keys(SCOPES).find((type) => scopes.some((scope) => SCOPES[type].test(scope)));
        const its = said.get(`${line}:${column}`);
        assert.equal(mine, its in SCOPES ? its : undefined, `${path}:${line + 1}:${column + 1}: ${lines[line]}`);
        compared += 1;
      }
    }
    await connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }
  context.diagnostic(`${compared} characters`);
});

/** The types of the server's tokens, by line and column. */
function typed(data, types) {
  const found = new Map();
  let [line, column] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down, right, length, type] = data.slice(at, at + 5);
    column = down > 0 ? right : column + right;
    line += down;
    for (let on = 0; on < length; on += 1) found.set(`${line}:${column + on}`, types[type]);
  }
  return found;
}
