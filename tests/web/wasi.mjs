// Runs the program as WebAssembly with what node has of an operating system: `node wasi.mjs PROGRAM ARGUMENT...`.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [program, ...more] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["cspsym", ...more], env: {}, preopens: { ".": process.cwd() }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
