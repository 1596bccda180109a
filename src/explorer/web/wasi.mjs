// What WebAssembly takes for an operating system, in one file that is part of the program.
export { WASI, File, OpenFile, ConsoleStdout } from "@bjorn3/browser_wasi_shim";
