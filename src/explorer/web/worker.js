// Runs the program as WebAssembly, once for each call: what it keeps in memory is gone after that.
import { WASI, File, OpenFile } from "./wasi.js";

let program = null;

onmessage = async ({ data }) => {
  if (data.module) {
    program = data.module;
    return;
  }
  const input = new File(new TextEncoder().encode(data.input));
  const [output, errors] = [new File([]), new File([])];
  const wasi = new WASI(["cspsym", ...data.words], [], [input, output, errors].map((file) => new OpenFile(file)), { debug: false });
  let problem = null;
  try {
    wasi.start(await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport }));
  } catch (error) {
    problem = error.message;
  }
  const text = (file) => new TextDecoder().decode(file.data);
  postMessage({ output: text(output), problem, errors: text(errors) });
};
