// The program as WebAssembly, in workers beside the page. Nothing is sent anywhere.

/** So many requests are worked on at once. */
const MOST_WORKERS = 3;

/** Of these at most so many may take long, so that nobody is kept from stepping. */
const MOST_LONG = MOST_WORKERS - 1;

/** The program at an address, which has to be of the `version` of the page. */
export class Program {
  constructor(address, version) {
    this.address = address;
    this.version = version;
    this.module = null;
    this.idle = [];
    this.waiting = [];
    this.working = 0;
    this.long = 0;
    /** What stops the work on a request, by its id. */
    this.open = new Map();
  }

  /** The answer to a request; `hear` is told of the work before. A `signal` that is aborted ends the work. */
  async answer(request, signal, hear) {
    if (request.id === undefined) return this.worked(request, signal, hear);
    const stopped = new AbortController();
    this.open.set(request.id, stopped);
    try {
      return await this.worked(request, AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]), hear);
    } finally {
      this.open.delete(request.id);
    }
  }

  /** Ends the work on the request with this id: no program is left that could answer. Answers as a server does. */
  async stop(id) {
    const work = this.open.get(id);
    work?.abort(new Error("it was stopped"));
    return { result: { stopped: work !== undefined } };
  }

  async worked(request, signal, hear) {
    const module = await heeding(signal, this.load());
    const isLong = mayTakeLong(request);
    await this.turn(isLong, signal);
    const worker = this.idle.pop() ?? started(module);
    let isUsable = false;
    try {
      const answer = await heeding(signal, answered(worker, JSON.stringify(request), hear));
      isUsable = true;
      return answer;
    } finally {
      // What was interrupted, or has failed, is in no known state.
      if (isUsable) this.idle.push(worker);
      else worker.terminate();
      this.working -= 1;
      if (isLong) this.long -= 1;
      this.admit();
    }
  }

  /** The program, compiled once. What could not be loaded is loaded again when it is asked for. */
  load() {
    this.module ??= this.checked(compiled(this.address)).catch((error) => {
      this.module = null;
      throw new Error(`the program cannot be loaded: ${error.message}`);
    });
    return this.module;
  }

  /** What is `compiled`, if it is of the version of the page: another may ask and answer otherwise. */
  async checked(compiled) {
    const module = await compiled;
    const worker = started(module);
    try {
      let version = null;
      const { problem, errors } = await said(worker, ["--version"], "", (line) => ([, version] = line.match(/^cspsym (\S+)/) ?? [null, version]));
      if (!version) throw new Error(`it does not say its version: ${reason(problem, errors)}`);
      if (version === this.version) return module;
      throw new Error(`its version is ${version}, and that of the page ${this.version}; export the page again`);
    } finally {
      worker.terminate();
    }
  }

  /** Waits for a turn. */
  turn(isLong, signal) {
    const waiter = { isLong };
    const admitted = new Promise((go) => (waiter.go = go));
    this.waiting.push(waiter);
    this.admit();
    return heeding(signal, admitted).catch((error) => {
      const place = this.waiting.indexOf(waiter);
      if (place >= 0) this.waiting.splice(place, 1);
      throw error;
    });
  }

  /** Lets those begin who may. */
  admit() {
    for (const waiter of [...this.waiting]) {
      if (this.working >= MOST_WORKERS || (waiter.isLong && this.long >= MOST_LONG)) continue;
      this.waiting.splice(this.waiting.indexOf(waiter), 1);
      this.working += 1;
      if (waiter.isLong) this.long += 1;
      waiter.go();
    }
  }
}

/** Whether others should not have to wait for `request`, as in `src/explorer/api/request.rs`. */
function mayTakeLong({ method, assertion, path, state, task }) {
  if (["at", "why", "save"].includes(method)) return (assertion !== undefined && path === undefined) || state !== undefined;
  if (method === "lab") return task !== undefined;
  return !["assertions", "problems", "lsp", "stop"].includes(method);
}

async function compiled(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** What `promise` gives, unless `signal` is aborted before. */
export function heeding(signal, promise) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** A worker that has the program. */
function started(module) {
  const worker = new Worker("worker.js", { type: "module" });
  worker.postMessage({ module });
  return worker;
}

/** What `worker` answers to `request`; `hear` gets the lines before the last. */
async function answered(worker, request, hear) {
  let answer = null;
  const { problem, errors } = await said(worker, ["api"], `${request}\n`, (line) => {
    const said = JSON.parse(line);
    if ("result" in said) answer = said;
    else hear?.(said);
  });
  if (answer === null) {
    throw new Error(`the program ended without an answer: ${reason(problem, errors)}`);
  }
  return answer;
}

/** How the program ends in `worker`, called with `words` and with this on its standard input; `hear` gets each line. */
function said(worker, words, input, hear) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      try {
        if (data.line === undefined) resolve(data);
        else hear(data.line);
      } catch (error) {
        reject(error);
      }
    };
    const failed = (event) => reject(new Error(`the program cannot run here: ${event.message ?? "a file of the page is missing"}`));
    worker.onerror = failed;
    worker.onmessageerror = failed;
    worker.postMessage({ words, input });
  });
}

/** Why the program has ended: the browser has a `problem`, or it said something itself. */
function reason(problem, errors) {
  if (/call stack|recursion/.test(problem)) return "the script nests more deeply than a browser allows";
  return errors.trim() || problem || "it said nothing";
}
