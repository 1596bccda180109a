// The grammar as editors run it, and what the tests of colours share.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const HERE = dirname(fileURLToPath(import.meta.url));
export const EXTENSION = join(HERE, "../..");
export const ROOT = join(EXTENSION, "../../..");

/** The grammar `source.cspm`. */
export async function loaded() {
  const require = createRequire(import.meta.url);
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const path = join(EXTENSION, "syntaxes/cspm.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => (scope === "source.cspm" ? textmate.parseRawGrammar(readFileSync(path, "utf8"), path) : null),
  });
  return registry.loadGrammar("source.cspm");
}

/** The tokens of `text`, a list for each line: where one begins and ends, and its scopes below the language's own. */
export function tokens(grammar, text) {
  let stack = textmate.INITIAL;
  return text.split(/\r?\n/).map((line) => {
    const read = grammar.tokenizeLine(line, stack);
    stack = read.ruleStack;
    if (read.stoppedEarly) throw new Error(`a line takes too long: ${line}`);
    return read.tokens.map(({ startIndex, endIndex, scopes }) => ({
      start: startIndex,
      end: Math.min(endIndex, line.length),
      scopes: scopes.slice(1).map((scope) => scope.replace(/\.cspm$/, "")),
    }));
  });
}

/** The files below `folder` that are scripts. */
export function scripts(folder) {
  const found = readdirSync(join(ROOT, folder), { recursive: true }).filter((path) => path.endsWith(".csp"));
  return found.sort().map((path) => join(folder, path));
}
