// Long lines of a script go on below, a little further in, and break at blanks.
import { Decoration, EditorView, MatchDecorator, RangeSetBuilder, ViewPlugin, countColumn } from "./vendor.js";

/** The most characters of a word that is never broken: it has room beside the narrowest views. */
const LONGEST = 28;

/** The most columns by which a line that goes on is indented. */
const DEEPEST = 24;

/** Names, and operators such as `->` and `[T=`: browsers would break these behind `-` and `|`. */
const TOKENS = /\[(?:T|F|FD|V|VD|R|RD|L|TP|FP)=|[\w']+|[^\s\w'"(){},;]{2,}/g;

const whole = Decoration.mark({ class: "cm-whole" });

/** What has no blank in it is whole. Of what is too long for that, its names and operators are. */
const words = new MatchDecorator({
  regexp: /\S{2,}/g,
  decorate(add, from, to, [text]) {
    if (to - from <= LONGEST) return add(from, to, whole);
    for (const { 0: token, index } of text.matchAll(TOKENS)) {
      if (token.length <= LONGEST) add(from + index, from + index + token.length, whole);
    }
  },
});

const unbroken = ViewPlugin.define(
  (view) => ({
    decorations: words.createDeco(view),
    update(update) {
      this.decorations = words.updateDeco(update, this.decorations);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

/** The indentation of a line where it goes on: of a comment that of its text, else two more. */
function indent(text, tabSize) {
  const [margin, comment] = text.match(/^[ \t]*(--+[ \t]*)?/);
  return Math.min(countColumn(margin, tabSize) + (comment ? 0 : 2), DEEPEST);
}

const hanging = ViewPlugin.define(
  (view) => ({
    decorations: hung(view),
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = hung(update.view);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

function hung({ state, visibleRanges }) {
  const lines = new RangeSetBuilder();
  let before = -1;
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const columns = indent(line.text, state.tabSize);
      if (line.from > before) lines.add(line.from, line.from, Decoration.line({ attributes: { style: `text-indent: -${columns}ch; padding-left: calc(6px + ${columns}ch)` } }));
      before = line.from;
      at = line.to + 1;
    }
  }
  return lines.finish();
}

const look = EditorView.theme({ ".cm-whole": { whiteSpace: "nowrap" } });

/** Lines are wrapped so. */
export const wrapping = [EditorView.lineWrapping, unbroken, hanging, look];
