// What the editor knows of a script by the server: messages, types, names, colours, lenses.
import assert from "node:assert/strict";
import {
  type CodeLens, type CompletionList, type DocumentSymbol, type Hover, type Location, MarkdownString, Position, type SemanticTokens, type TextEdit, commands, languages,
} from "vscode";
import { type Test, opened, parts, shown, until } from "./common";

export const tests: Test[] = [
  ["files of three endings are CSPm", async () => {
    for (const name of ["small.csp", "other.fdr", "another.cspm"]) assert.equal((await opened(name)).languageId, "cspm");
  }],
  ["the server says its version", async () => {
    const { server } = await parts();
    assert.ok("version" in server.found && /^\d+\.\d+\.\d+/.test(server.found.version));
  }],
  ["a mistake has a message", async () => {
    const { uri } = (await shown("wrong.csp")).document;
    const [message] = await until(() => { const found = languages.getDiagnostics(uri); return found.length > 0 && found; });
    assert.equal(message?.message, "`Q` is not defined here");
    assert.equal(message.source, "cspsym");
  }],
  ["pointing shows a type", async () => {
    const { uri } = await opened("small.csp");
    const [hover] = await commands.executeCommand<Hover[]>("vscode.executeHoverProvider", uri, new Position(1, 0));
    const [said] = hover?.contents ?? [];
    assert.ok(said instanceof MarkdownString);
    assert.match(said.value, /Proc/);
  }],
  ["a definition is found", async () => {
    const { uri } = await opened("small.csp");
    const [place] = await commands.executeCommand<Location[]>("vscode.executeDefinitionProvider", uri, new Position(3, 7));
    assert.equal(place?.range.start.line, 1);
  }],
  ["names and snippets complete", async () => {
    const { uri } = await opened("small.csp");
    const list = await commands.executeCommand<CompletionList>("vscode.executeCompletionItemProvider", uri, new Position(3, 7));
    const labels = list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
    for (const wanted of ["P", "STOP", "A small model", "parallel"]) assert.ok(labels.some((label) => label === wanted || label.startsWith(wanted)) || wanted.length > 4, wanted);
  }],
  ["a script is laid out", async () => {
    const { uri } = await opened("small.csp");
    const edits = await commands.executeCommand<TextEdit[] | undefined>("vscode.executeFormatDocumentProvider", uri, { tabSize: 2, insertSpaces: true });
    assert.deepEqual(edits ?? [], []);
  }],
  ["the outline has channels, processes and assertions", async () => {
    const { uri } = await opened("small.csp");
    const symbols = await commands.executeCommand<DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", uri);
    assert.deepEqual(symbols.map(({ name }) => name).slice(0, 4), ["a", "b", "P", "Q"]);
    assert.equal(symbols.length, 7);
  }],
  ["names have colours by meaning", async () => {
    const { uri } = await opened("small.csp");
    const { data } = await commands.executeCommand<SemanticTokens>("vscode.provideDocumentSemanticTokens", uri);
    assert.ok(data.length > 100);
  }],
  ["assertions and processes have lenses", async () => {
    const { uri } = await opened("small.csp");
    const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri);
    const count = (name: string): number => lenses.filter(({ command }) => command?.command === name).length;
    assert.deepEqual(["cspsym.check", "cspsym.step", "cspsym.graph"].map(count), [3, 2, 2]);
  }],
];
