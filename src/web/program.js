// The program as WebAssembly, in workers beside the page. Nothing is sent anywhere.

/** So many requests are worked on at once: a check must not keep anybody from stepping. */
const MOST_WORKERS = 3;

/** The program at an address. */
export class Program {
  constructor(address) {
    this.module = fetch(address)
      .then((answer) => {
        if (!answer.ok) throw new Error(`the program is not there: ${answer.status}`);
        return answer.arrayBuffer();
      })
      .then((bytes) => WebAssembly.compile(bytes));
    this.idle = [];
    this.working = 0;
    this.waiting = [];
  }

  /** The answer to a request. A `signal` that is aborted ends the work. */
  async answer(request, signal) {
    const module = await this.module;
    await this.turn(signal);
    const worker = this.idle.pop() ?? started(module);
    let isUsable = false;
    try {
      const answer = await answered(worker, JSON.stringify(request), signal);
      isUsable = true;
      return answer;
    } finally {
      // What was interrupted, or has failed, is in no known state.
      if (isUsable) this.idle.push(worker);
      else worker.terminate();
      this.working -= 1;
      this.waiting.shift()?.();
    }
  }

  /** Waits until fewer workers work than may. */
  async turn(signal) {
    while (this.working >= MOST_WORKERS) {
      await new Promise((go) => this.waiting.push(go));
    }
    if (signal?.aborted) {
      this.waiting.shift()?.();
      throw signal.reason;
    }
    this.working += 1;
  }
}

/** A worker that has the program, which was compiled once. */
function started(module) {
  const worker = new Worker("worker.js", { type: "module" });
  worker.postMessage({ module });
  return worker;
}

/** What `worker` answers to `request`. */
function answered(worker, request, signal) {
  return new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    worker.onmessage = ({ data: { answer, problem, errors } }) => {
      const [line] = answer.split("\n");
      if (line) resolve(JSON.parse(line));
      else reject(new Error(`the program ended without an answer: ${reason(problem, errors)}`));
    };
    worker.onerror = (event) => reject(new Error(`the program cannot run here: ${event.message}`));
    worker.postMessage({ request });
  });
}

/** Why the program has ended: the browser has a `problem`, or it said something itself. */
function reason(problem, errors) {
  if (/call stack/.test(problem)) return "the script nests more deeply than a browser allows";
  return errors.trim() || problem || "it said nothing";
}
