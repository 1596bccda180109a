// Where the sources of the site are, and where it is built.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** This folder. */
export const HERE = dirname(fileURLToPath(import.meta.url));

/** The root of the repository. */
export const ROOT = resolve(HERE, "../..");

const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");

/** The folder that mdBook is given: its configuration, and below it the pages. */
export const BOOK = join(TARGET, "site");
export const PAGES = join(BOOK, "src");

/** The site, as a web server offers it. */
export const BUILT = resolve(process.env.SITE ?? join(BOOK, "html"));

/** The program that is asked for verdicts and drawings. */
export const PROGRAM = resolve(process.env.CSPSYM ?? join(TARGET, "release/cspsym"));

/** The program as WebAssembly, or null: then the site is built without the explorer. */
export const WASM = process.env.CSPSYM_WASM === undefined
  ? ["release", "debug"].map((profile) => join(TARGET, "wasm32-wasip1", profile, "cspsym.wasm")).find(existsSync) ?? null
  : process.env.CSPSYM_WASM === "none" ? null : resolve(process.env.CSPSYM_WASM);
