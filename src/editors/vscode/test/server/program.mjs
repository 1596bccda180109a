// A conversation with `cspsym lsp`, and what the tests with the real program share.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import rpc from "vscode-jsonrpc/node";
import { ROOT } from "../grammar/grammar.mjs";

export const PROGRAM = process.env.CSPSYM ?? join(ROOT, "target/release/cspsym");
if (!existsSync(PROGRAM) && process.env.CI === "true") throw new Error("there is no cspsym to test with");
/** What `test` is given: without the program nothing is tested. */
export const options = { skip: existsSync(PROGRAM) ? false : `there is no ${basename(PROGRAM)}: set CSPSYM` };

/** A connection to the server, which ends with the test, and what it answers to `initialize`. */
export async function connected(context, capabilities = {}, initializationOptions = {}) {
  const child = spawn(PROGRAM, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
  const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  context.after(() => {
    connection.dispose();
    child.kill();
  });
  connection.listen();
  const { capabilities: abilities } = await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities, initializationOptions });
  await connection.sendNotification("initialized", {});
  return { connection, abilities };
}

/** Opens a script of the repository. Returns its URI and its text. */
export async function opened(connection, path) {
  const file = join(ROOT, path);
  const [uri, text] = [pathToFileURL(file).href, readFileSync(file, "utf8")];
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "cspm", version: 1, text } });
  return { uri, text };
}
