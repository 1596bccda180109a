// Runs the program as WebAssembly, once for each call: what it keeps in memory is gone after that.
import { WASI, File, OpenFile, ConsoleStdout } from "./wasi.js";

let program = null;

onmessage = async ({ data }) => {
  if (data.module) {
    program = data.module;
    return;
  }
  const [input, errors] = [new File(new TextEncoder().encode(data.input)), new File([])];
  const output = ConsoleStdout.lineBuffered((line) => postMessage({ line }));
  const wasi = new WASI(["cspsym", ...data.words], [], [new OpenFile(input), output, new OpenFile(errors)], { debug: false });
  let problem = null;
  try {
    wasi.start(await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport }));
  } catch (error) {
    problem = error.message;
  }
  postMessage({ problem, errors: new TextDecoder().decode(errors.data) });
};
