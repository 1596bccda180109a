// Colours for code: CSPm by the grammar that editors are given, and a few other languages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHighlighter } from "shiki";
import { ROOT } from "./places.mjs";

const GRAMMAR = join(ROOT, "src/editors/vscode/syntaxes/cspm.tmLanguage.json");

/** The languages of blocks of code, by the names that texts give them, beside CSPm. */
const OTHERS = { elisp: "emacs-lisp", lua: "lua", sh: "shellscript", toml: "toml" };

const THEMES = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };

const grammar = { ...JSON.parse(readFileSync(GRAMMAR, "utf8")), name: "csp" };
const highlighter = await createHighlighter({ langs: [grammar, ...Object.values(OTHERS)], themes: Object.values(THEMES) });

/** `code` in its colours, as HTML, or null of a language without colours. Lines have `name` and their number as ids. */
export function highlighted(code, language, name = null) {
  const lang = language === "csp" ? language : OTHERS[language];
  if (lang === undefined) return null;
  const transformers = [{
    // mdBook would guess at colours of its own.
    code: (node) => void (node.properties.class = "nohighlight"),
    pre: (node) => void delete node.properties.tabindex,
    line: (node, number) => void (node.properties = name === null ? {} : { ...node.properties, id: `${name}-${number}` }),
  }];
  return highlighter.codeToHtml(code, { lang, themes: THEMES, defaultColor: false, transformers });
}
