// The difference between two texts of a script, line by line.
import { EditorState, EditorView, unifiedMergeView, lineNumbers, htm, h, useEffect, useRef } from "./vendor.js";
import { appearance } from "./editor.js";

const html = htm.bind(h);

/** So many lines that are the same are shown beside those that differ. */
const BESIDE = 2;

const marks = EditorView.theme({
  ".cm-deletedChunk": { backgroundColor: "var(--bad-soft)" },
  "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": { backgroundColor: "var(--good-soft)" },
  "&.cm-merge-b .cm-changedText, .cm-deletedChunk .cm-deletedText": { background: "none", fontWeight: "600" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…" !important' },
  ".cm-collapsedLines": { color: "var(--soft)", background: "var(--sunken)" },
});

/** What is in `text` and not in `before`, and the other way round. */
export function Difference({ before, text, name }) {
  const place = useRef(null);
  useEffect(() => {
    // In a root of its own, as the editor is, so that its style is allowed.
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: "open" });
    const view = new EditorView({
      root, parent: root, doc: text,
      extensions: [
        EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.lineWrapping, lineNumbers(), appearance, marks,
        EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
        unifiedMergeView({ original: before, mergeControls: false, highlightChanges: true, gutter: true, collapseUnchanged: { margin: BESIDE, minSize: 2 * BESIDE } }),
      ],
    });
    return () => view.destroy();
  }, [before, text]);
  return html`<div class="difference" ref=${place}></div>`;
}
