// The explorer of the site: the page of `cspsym explore`, with the program as WebAssembly, every model and the labs.
import { rmSync } from "node:fs";
import { join, posix } from "node:path";
import { PAGES, WASM } from "./places.mjs";
import { said } from "./program.mjs";

const FOLDER = "explorer";

/** The address of the explorer with the script `file`, as seen from the page at `path`. */
export function address(path, file) {
  const script = new URLSearchParams({ script: file.replace(/^cspm\//, "") });
  return `${posix.relative(posix.dirname(path), `${FOLDER}/index.html`)}?${script}`;
}

/** Writes the explorer with these scripts into the site. */
export function exportExplorer(files) {
  const to = join(PAGES, FOLDER);
  rmSync(to, { recursive: true, force: true });
  said(["explore", ...files, "--export", to, "--program", WASM]);
}
