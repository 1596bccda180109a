// The editor: CSPm in colours, with the messages of the program at their places.
import {
  EditorState, EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection,
  highlightSpecialChars, defaultKeymap, history, historyKeymap, bracketMatching, StreamLanguage,
  syntaxHighlighting, HighlightStyle, tags, lintGutter, setDiagnostics, searchKeymap, highlightSelectionMatches,
} from "./vendor.js";

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
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
});

/** How a script looks in an editor. */
export const appearance = [cspm, syntaxHighlighting(colours), look];

/** An editor in `parent` for `text`; `changed` gets every new text, `saved` is called on Ctrl-S. */
export function makeEditor(parent, text, changed, saved) {
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(),
      highlightActiveLine(), highlightSelectionMatches(), bracketMatching(), lintGutter(), appearance,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Script" }),
      keymap.of([
        { key: "Mod-s", run: () => (saved(), true), preventDefault: true },
        ...defaultKeymap, ...historyKeymap, ...searchKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
    ],
  });
  // In a root of its own the editor brings its style as an adopted sheet, which the page's policy
  // allows; as an element of the page it would be refused.
  const root = parent.attachShadow({ mode: "open" });
  const view = new EditorView({ state, parent: root, root });
  return {
    /** Replaces the whole text. */
    replace(next) {
      if (next !== view.state.doc.toString()) {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      }
    },
    /** Shows `problems` at their places in the script `file`. */
    mark(problems, file) {
      const found = problems.flatMap((problem) => {
        const place = problem.places.find((place) => place.file === file);
        if (!place) return [];
        const { from, to } = range(view.state.doc, place);
        const severity = problem.severity === "error" ? "error" : "warning";
        const hint = problem.hint ? `\n${problem.hint}` : "";
        return [{ from, to, severity, message: problem.message + hint }];
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    /** Brings a line to the top, and leaves the focus where it is. */
    reveal(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 8 }) });
    },
    /** Goes to a place. */
    show(place) {
      const { from, to } = range(view.state.doc, place);
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
  };
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
