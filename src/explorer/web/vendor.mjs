// What the page takes from elsewhere, in one file that is part of the program.
export { h, render, Component, Fragment } from "preact";
export { useState, useEffect, useRef, useMemo, useCallback, useLayoutEffect } from "preact/hooks";
export { default as htm } from "htm";
export { EditorState, StateEffect, StateField, Compartment, RangeSetBuilder, countColumn } from "@codemirror/state";
export {
  EditorView, Decoration, MatchDecorator, ViewPlugin, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection,
  highlightSpecialChars, hoverTooltip, showDialog,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { bracketMatching, StreamLanguage, syntaxHighlighting, HighlightStyle } from "@codemirror/language";
export { tags } from "@lezer/highlight";
export { linter, lintGutter, setDiagnostics, lintKeymap, forceLinting } from "@codemirror/lint";
export { searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export {
  autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap, acceptCompletion, completionStatus, ifNotIn, moveCompletionSelection,
  selectedCompletion,
} from "@codemirror/autocomplete";
export { unifiedMergeView } from "@codemirror/merge";
