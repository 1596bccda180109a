// What the language server knows of the text in the editor: completion, types, definitions,
// renaming. It is the method `lsp` of the program: each question brings the texts that it is about.
import { autocompletion, acceptCompletion, completionStatus, hoverTooltip, ifNotIn, keymap, moveCompletionSelection, selectedCompletion, showDialog, EditorView } from "./vendor.js";
import { ask } from "./api.js";

/** The kinds of names, by the numbers of the protocol, in the words of the editor. */
const KINDS = { 3: "function", 6: "variable", 9: "namespace", 13: "type", 14: "keyword", 20: "enum", 21: "constant", 23: "property" };

/** Parameters and inputs come first, then names of the script, built-ins, words. */
const boost = (item) => 3 - Number(item.sortText?.[0] ?? 3);

/** The answers of the language server about the files of `app`. */
class LanguageServer {
  constructor(app) {
    this.app = app;
  }

  /** The answer about the place `at` of `state`, which is the text of the file that is shown. */
  async about(state, at, method, parameters = {}, signal) {
    const { files } = this.app;
    const { shown } = this.app.state;
    const { file } = this.app.props.start;
    const texts = { ...files.texts, [shown]: state.doc.toString() };
    // The script comes first: what it includes is a part of it then.
    const documents = [...new Set([file, shown])].map((name) => said("textDocument/didOpen", {
      textDocument: { uri: name, languageId: "cspm", version: 1, text: texts[name] },
    }));
    const question = said(`textDocument/${method}`, { textDocument: { uri: shown }, position: position(state.doc, at), ...parameters }, 1);
    const { result } = await ask("lsp", { files: texts, messages: [...documents, question] }, signal);
    const answer = result.messages.find(({ id, method }) => id === 1 && !method);
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  }
}

const said = (method, params, id) => ({ jsonrpc: "2.0", ...(id && { id }), method, params });

/** Lines of the protocol are counted from 0, and columns as the editor counts them. */
function position(doc, at) {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

/** The place of a range of the protocol, as the program writes places: from 1, in characters. */
function placeOf({ uri, range: { start, end } }) {
  return { file: uri, line: start.line + 1, column: start.character + 1, end_line: end.line + 1, end_column: end.character + 1 };
}

/** Edits of the protocol as changes of `text`. */
function changesOf(text, edits) {
  const lines = text.split("\n");
  const starts = lines.reduce((all, line) => [...all, all.at(-1) + line.length + 1], [0]);
  const at = ({ line, character }) => starts[line] + character;
  return edits.map(({ range, newText }) => ({ from: at(range.start), to: at(range.end), insert: newText }));
}

/** Does to the editor of `app` what the language server knows of. */
export function language(app) {
  const server = new LanguageServer(app);
  const names = new NameActions(app, server);
  const told = (work) => (view) => {
    work(view, view.state.selection.main.head).catch((error) => app.setState({ note: error.message }));
    return true;
  };
  const define = (view, at) => names.define(view, at);
  const click = (event, view) => {
    if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (at === null) return false;
    event.preventDefault();
    return told(() => define(view, at))(view);
  };
  return [
    autocompletion({ override: [ifNotIn(["comment", "string"], (context) => complete(server, context))], selectOnOpen: false, interactionDelay: 0 }),
    hoverTooltip((view, at) => hover(server, view, at)),
    keymap.of([
      { key: "Tab", run: take },
      { key: "F12", run: told(define), preventDefault: true },
      { key: "Shift-F12", run: told((view, at) => names.listUses(view, at)), preventDefault: true },
      { key: "F2", run: told((view, at) => names.rename(view, at)), preventDefault: true },
    ]),
    EditorView.domEventHandlers({ mousedown: click }),
    look,
  ];
}

/** The completions where the cursor is, or `null`. */
async function complete(server, context) {
  if (!context.explicit && !context.matchBefore(/[A-Za-z][\w']*|::/)) return null;
  const abort = new AbortController();
  context.addEventListener("abort", () => abort.abort());
  const answer = await server.about(context.state, context.pos, "completion", {}, abort.signal).catch(() => null);
  if (!answer?.items.length) return null;
  const from = context.matchBefore(/[A-Za-z][\w']*/)?.from ?? context.pos;
  const options = answer.items.map((item) => ({ label: item.label, detail: item.detail, type: KINDS[item.kind], boost: boost(item) }));
  return { from, options, validFor: /^[\w']*$/ };
}

/** The tooltip of the name at a place, or `null`. */
async function hover(server, view, at) {
  if (!/\S/.test(view.state.sliceDoc(at, at + 1))) return null;
  const found = await server.about(view.state, at, "hover").catch(() => null);
  if (!found) return null;
  const { line, character } = found.range.start;
  return { pos: view.state.doc.line(line + 1).from + character, above: true, create: () => ({ dom: explained(found.contents.value) }) };
}

/** What can be done with the name at a place. */
class NameActions {
  constructor(app, server) {
    this.app = app;
    this.server = server;
  }

  async define(view, at) {
    const found = await this.server.about(view.state, at, "definition");
    if (found) await this.app.show(placeOf(found));
    else this.app.setState({ note: "No name stands there that the script defines." });
  }

  async listUses(view, at) {
    await this.app.files.loadAll();
    const found = await this.server.about(view.state, at, "references", { context: { includeDeclaration: true } });
    if (!found?.length) return this.app.setState({ note: "No name stands there." });
    const { from, to } = view.state.wordAt(at) ?? { from: at, to: at };
    const places = found.map(placeOf).map((place) => ({ place, text: this.app.files.of(place.file)?.text?.split("\n")[place.line - 1]?.trim() ?? "" }));
    this.app.setState({ uses: { name: view.state.sliceDoc(from, to), places } });
  }

  async rename(view, at) {
    const { state } = view;
    const before = await this.server.about(view.state, at, "prepareRename");
    if (!before) return this.app.setState({ note: "No name stands there." });
    const input = { name: "name", value: before.placeholder, autocomplete: "off", spellcheck: "false" };
    const asked = showDialog(view, { label: `New name of ${before.placeholder}`, input, focus: true, submitLabel: "Rename", class: "cm-rename" });
    const form = await asked.result;
    view.focus();
    const newName = form?.elements.namedItem("name").value.trim();
    if (!newName || newName === before.placeholder) return;
    // What changes in a file has to fit the text that is here.
    await this.app.files.loadAll();
    const { texts } = this.app.files;
    const { changes } = await this.server.about(state, at, "rename", { newName });
    // The places are those of the texts that were asked about.
    const now = this.app.files.texts;
    if (view.state.doc !== state.doc || Object.keys(now).some((file) => now[file] !== texts[file])) throw new Error("The text has changed meanwhile: nothing was renamed.");
    const given = Object.keys(changes).find((file) => this.app.files.isGiven(file));
    if (given) throw new Error(`${before.placeholder} stands in ${this.app.files.named(given)}, which is given by the lab.`);
    for (const [file, edits] of Object.entries(changes)) this.app.files.change(changesOf(this.app.files.of(file).text, edits), file);
    const names = Object.keys(changes).map((file) => this.app.files.named(file));
    this.app.setState({ note: `${before.placeholder} is ${newName} now in ${names.join(", ")}. Nothing is saved yet.` });
  }
}

/** Takes a completion. Who types a new name and Enter wants that name: nothing is chosen before an arrow or Tab. */
function take(view) {
  if (completionStatus(view.state) !== "active") return false;
  if (!selectedCompletion(view.state)) moveCompletionSelection(true)(view);
  acceptCompletion(view);
  return true;
}

/** The text of a name: its type, then the comment above it. */
function explained(markdown) {
  const [, type, comment] = markdown.match(/^```cspm\n([\s\S]*?)\n```(?:\n\n---\n\n([\s\S]*))?$/) ?? [null, markdown];
  const dom = document.createElement("div");
  dom.className = "cm-explained";
  dom.append(Object.assign(document.createElement("code"), { textContent: type }));
  if (comment) dom.append(Object.assign(document.createElement("p"), { textContent: comment.replaceAll("  \n", "\n") }));
  return dom;
}

const look = EditorView.theme({
  ".cm-explained": { padding: "0.3rem 0.6rem", maxWidth: "34rem", fontSize: "13px" },
  ".cm-explained code": { fontFamily: "var(--code)", whiteSpace: "pre-wrap" },
  ".cm-explained p": { margin: "0.3rem 0 0", whiteSpace: "pre-wrap", fontFamily: "var(--text)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--code)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
});
