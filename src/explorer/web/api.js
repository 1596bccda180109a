// Requests to the program that serves this page, or that is a part of it.
import { connection } from "./connection.js";
import { Program } from "./program.js";

/** The program that is a part of the page, if it is. */
let program = null;

/** A request that was answered without a result; `problems` are its messages. */
export class Refusal extends Error {
  constructor(problems) {
    super(problems.map((problem) => problem.message).join("; "));
    this.problems = problems;
  }
}

/** What the page starts with: the script, its text and digest. */
export async function opening() {
  const first = await fetch("opening");
  // The path begins with the token: another run of the program does not know it.
  if (first.status === 404) connection.move();
  const start = await begun(first);
  connection.run = start.run;
  if (!start.program) return start;
  program = new Program(start.program, start.version);
  const { scripts } = start;
  const script = asked() ?? scripts[0] ?? null;
  if (script !== null && !scripts.includes(script)) throw new Error(`it has no script ${script}`);
  const chosen = script === scripts[0] || script === null ? start : await begun(await fetch(`openings/${encodeURI(script)}`));
  // Many pages may have one origin, and drafts are kept by origin.
  return { ...chosen, script, identity: `${location.pathname.replace(/index\.html$/, "")}${script ?? chosen.file}` };
}

/** The script that the address of an exported page asks for, which may have several. */
const asked = () => new URLSearchParams(location.search).get("script");

async function begun(answer) {
  if (!answer.ok) throw new Error((await answer.text()) || `the server answers ${answer.status}`);
  return answer.json();
}

/** Saves the text of a file, if that is still what `digest` says. */
export async function save(file, text, digest) {
  try {
    return await post("save", { file, text, digest });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // It may have been saved all the same, so that it is not sent again.
    connection.look().catch(() => {});
    throw new Error("the program does not answer; this browser keeps your text");
  }
}

/** The text of a file that may be included, and its digest. */
export const readFile = (file) => connection.reach(() => post("read", { file }));

/**
 * The answer to a method: its result, a drawing if it was asked for, and messages. A `signal` that is aborted ends the
 * work too.
 */
export async function ask(method, parameters, signal) {
  const request = { method, ...parameters };
  const answer = await (program ? program.answer(request, signal) : connection.reach(() => post("api", request, signal), signal));
  if (answer.result === null) throw new Refusal(answer.problems);
  return answer;
}

/** The answer to a method, before which `hear` is told of the work: of its progress, and of what was decided. */
export async function askForNews(method, parameters, signal, hear) {
  const request = { method, ...parameters, progress: true };
  const answer = await (program ? program.answer(request, signal, hear) : connection.reach(() => heard(request, signal, hear), signal));
  if (answer.result === null) throw new Refusal(answer.problems);
  return answer;
}

/** Ends the work on the request with this id, which then is answered with what is known by then. */
export const stop = (id) => (program ? program.stop(id) : post("api", { method: "stop", stops: id }));

const post = (path, body, signal) => posted(path, body, signal).then((answer) => answer.json());

async function posted(path, body, signal) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  // The path begins with the token: another run of the program does not know it.
  if (answer.status === 404) connection.move();
  if (!answer.ok) throw new Error((await answer.text()) || `the program answers ${answer.status}`);
  return answer;
}

/** The answer to `request`, the last of several lines. `hear` gets the others, as they come. */
async function heard(request, signal, hear) {
  const { body } = await posted("api", request, signal);
  for await (const line of linesOf(body.pipeThrough(new TextDecoderStream()).getReader())) {
    const said = JSON.parse(line);
    if ("result" in said) return said;
    told(hear, said);
  }
  throw new Error("the work has ended");
}

/** Tells `hear`. A mistake there is none of the connection, which a TypeError would say. */
function told(hear, said) {
  try {
    hear(said);
  } catch (error) {
    throw new Error(error.message);
  }
}

async function* linesOf(reader) {
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    yield* lines;
    if (done && rest) yield rest;
    if (done) return;
  }
}
