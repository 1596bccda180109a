// The editor: CSPm in colours, with the messages of the program at their places. Each file has a
// text of its own in it.
import {
  Compartment, EditorState, EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection,
  highlightSpecialChars, defaultKeymap, history, historyKeymap, bracketMatching, StreamLanguage,
  syntaxHighlighting, HighlightStyle, tags, lintGutter, setDiagnostics, searchKeymap, highlightSelectionMatches,
} from "./vendor.js";
import { wrapping } from "./wrapping.js";

const KEYWORDS = new Set(
  `if then else let within channel datatype subtype nametype assert include module exports endmodule instance
   print transparent external and or not true false Timed STOP SKIP DIV CHAOS RUN`.split(/\s+/),
);

/** CSPm, token by token. */
const cspm = StreamLanguage.define({
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth > 0 || stream.match("{-")) {
      if (state.depth === 0) state.depth = 1;
      while (state.depth > 0 && !stream.eol()) {
        if (stream.match("{-")) state.depth += 1;
        else if (stream.match("-}")) state.depth -= 1;
        else stream.next();
      }
      return "comment";
    }
    if (stream.match("--")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^[A-Za-z][A-Za-z0-9_]*'*/)) {
      const word = stream.current();
      if (KEYWORDS.has(word)) return "keyword";
      return /^[A-Z][A-Z0-9_]*'*$/.test(word) ? "typeName" : "variableName";
    }
    if (stream.match(/^(->|<-|\|~\||\[\]|\[\||\|\]|\|\|\||\|\||\[>|\/\\|\[T=|\[F=|\[FD=|:\[|[@!?\\;&=])/)) return "operator";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "--", block: { open: "{-", close: "-}" } } },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "light-dark(#7a3e9d, #d2a8ff)", fontWeight: "600" },
  { tag: tags.comment, color: "light-dark(#5d6670, #98a1ab)", fontStyle: "italic" },
  { tag: tags.string, color: "light-dark(#0b6b50, #7ee2b8)" },
  { tag: tags.number, color: "light-dark(#9a4a00, #f2b36f)" },
  { tag: tags.operator, color: "light-dark(#a3231f, #ff9d94)" },
  { tag: tags.typeName, color: "light-dark(#1f5c99, #7db7f0)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--panel)", color: "var(--ink)", height: "100%", fontSize: "13.5px" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 30%, transparent) !important",
  },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)", fontFamily: "var(--text)" },
  ".cm-panels label, .cm-panels .cm-button, .cm-panels .cm-textfield": { fontSize: "13.5px", color: "inherit" },
  ".cm-panels .cm-button": { background: "var(--panel)", border: "1px solid var(--line)", borderRadius: "6px" },
  ".cm-panels .cm-textfield": { background: "var(--panel)", border: "1px solid var(--line)", borderRadius: "6px", fontFamily: "var(--code)" },
  ".cm-dialog": { padding: "0.4rem 0.8rem" },
});

/** How a script looks in an editor. */
export const appearance = [cspm, syntaxHighlighting(colours), look];

/**
 * An editor in `parent` for several files. `changed` gets the file and its new text, `saved` is
 * called on Ctrl-S, `label` gives the name of a file's field, and `more` are extensions.
 */
export class FilesEditor {
  constructor(parent, { changed, saved, label, more }) {
    this.changed = changed;
    this.label = label;
    this.locked = new Compartment();
    this.shared = [basics, more, keymap.of([
      { key: "Mod-s", run: () => (saved(), true), preventDefault: true },
      { key: "Enter", run: endIndentation },
      ...defaultKeymap, ...historyKeymap, ...searchKeymap,
    ]), EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.isSilent) changed(this.shown, update.state.doc.toString());
    })];
    // In a root of its own the editor brings its style as an adopted sheet, which the page's policy
    // allows; as an element of the page it would be refused.
    const root = parent.attachShadow({ mode: "open" });
    this.view = new EditorView({ parent: root, root });
    keepCursorInView(this.view, parent);
    this.shown = null;
    /** The state of each file that is not shown, and how far it was scrolled. */
    this.states = new Map();
    this.problems = [];
    /** Whether a change that is being made is none of the reader's. */
    this.isSilent = false;
  }

  /** Has the text of `file`, if it has not got one yet. */
  prepare(file, text, isLocked) {
    if (this.stateOf(file)) return;
    const own = [this.locked.of(EditorState.readOnly.of(isLocked)), EditorView.contentAttributes.of({ "aria-label": this.label(file) })];
    const state = EditorState.create({ doc: text, extensions: [this.shared, own] });
    this.states.set(file, { state: state.update(this.marks(file, state)).state, scroll: null });
  }

  /** Shows a file that it has. */
  open(file) {
    if (file === this.shown) return;
    const { view, states } = this;
    if (this.shown !== null) states.set(this.shown, { state: view.state, scroll: view.scrollSnapshot() });
    this.shown = file;
    const { state, scroll } = states.get(file);
    states.delete(file);
    view.setState(state);
    if (scroll) view.dispatch({ effects: scroll });
  }

  /** Lets a file be edited, or no longer. */
  lock(file, isLocked) {
    if (this.stateOf(file)) this.update(file, { effects: this.locked.reconfigure(EditorState.readOnly.of(isLocked)) });
  }

  /** Makes changes of a file, each with `from`, `to` and what to `insert`: the reader's, unless they are `silent`. */
  change(file, changes, silent = false) {
    this.isSilent = silent;
    this.update(file, { changes });
    this.isSilent = false;
    if (file !== this.shown && !silent) this.changed(file, this.stateOf(file).doc.toString());
  }

  /** Replaces the whole text of a file. Of what stays, nothing moves. */
  replace(file, next, silent) {
    const difference = differenceOf(this.stateOf(file).doc.toString(), next);
    if (difference) this.change(file, difference, silent);
  }

  /** Shows `problems` at their places. */
  mark(problems) {
    this.problems = problems;
    for (const file of [this.shown, ...this.states.keys()]) this.update(file, this.marks(file, this.stateOf(file)));
  }

  /** Brings a line to the top, and leaves the focus where it is. */
  reveal(line) {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 8 }) });
  }

  /** Goes to a place of the file that is shown. */
  show(place) {
    const { from, to } = range(this.view.state.doc, place);
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  stateOf(file) {
    return file === this.shown ? this.view.state : this.states.get(file)?.state;
  }

  update(file, specification) {
    if (file === this.shown) return this.view.dispatch(specification);
    const { state } = this.stateOf(file).update(specification);
    this.states.set(file, { ...this.states.get(file), state });
  }

  marks(file, state) {
    return setDiagnostics(state, this.problems.flatMap((problem) => mark(problem, file, state.doc)));
  }
}

/** Enter on a line of blanks: what was indented has ended. */
function endIndentation({ state, dispatch }) {
  const { from, to, text } = state.doc.lineAt(state.selection.main.head);
  if (!state.selection.main.empty || !/^\s+$/.test(text)) return false;
  dispatch(state.update({ changes: { from, to, insert: "\n" }, selection: { anchor: from + 1 }, userEvent: "input" }));
  return true;
}

/** What every file has. */
const basics = [
  lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), highlightActiveLine(),
  highlightSelectionMatches(), bracketMatching(), lintGutter(), appearance, wrapping,
];

/** Scrolls where a message makes the editor lower, so that who types goes on seeing the line. */
function keepCursorInView(view, parent) {
  let before = parent.clientHeight;
  new ResizeObserver(() => {
    const { head } = view.state.selection.main;
    const cursor = view.coordsAtPos(head);
    const wasInView = cursor && cursor.bottom <= parent.getBoundingClientRect().top + before;
    if (parent.clientHeight < before && wasInView) view.dispatch({ effects: EditorView.scrollIntoView(head) });
    before = parent.clientHeight;
  }).observe(parent);
}

/** The mark of `problem` in `file`, if it is about that. */
function mark(problem, file, doc) {
  const place = problem.places.find((place) => place.file === file);
  if (!place) return [];
  const severity = problem.severity === "error" ? "error" : "warning";
  const hint = problem.hint ? `\n${problem.hint}` : "";
  return [{ ...range(doc, place), severity, message: problem.message + hint }];
}

/** What of the text `before` is another in `after`; nothing if they are equal. */
function differenceOf(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** Where a place is: lines and columns are counted from 1, columns in characters. */
function range(doc, place) {
  const at = (line, column) => {
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const before = [...found.text].slice(0, column - 1).join("").length;
    return Math.min(found.from + before, found.to);
  };
  const from = at(place.line, place.column);
  return { from, to: Math.max(from, at(place.end_line, place.end_column)) };
}
