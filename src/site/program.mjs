// What the program says: its topics, and what a script has, verdicts and drawings.
import { spawnSync } from "node:child_process";
import { PROGRAM, ROOT } from "./places.mjs";

/** The exit statuses of an answer: all holds, and something fails. Any other one is a mistake here. */
const ANSWERED = [0, 1];

/** So long a drawing may take. Most take a blink; some processes have no end of states. */
const LONGEST_DRAWING = 60;

/** What the program prints for a call, with `input` on its standard input. */
export function said(words, { input = "", statuses = ANSWERED } = {}) {
  const { status, error, stdout, stderr } = spawnSync(PROGRAM, words, { cwd: ROOT, input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw new Error(`${PROGRAM} cannot be run: ${error.message}`);
  if (!statuses.includes(status)) throw new Error(`cspsym ${words.join(" ")} ends with status ${status}: ${stderr}`);
  return stdout;
}

/** The topics of the manual, in its order, each with its subject. */
export function topics() {
  const [, list] = said(["help"]).split(/^Topics of the manual.*:\n/m);
  const lines = [...list.split("\n\n")[0].matchAll(/^ {2}(\S+) +(.+)$/gm)];
  return lines.map(([, topic, subject]) => ({ topic, subject }));
}

/** What a script has: its assertions with their places, its processes, its constants with their values. */
export function contents(file) {
  const { result, problems } = JSON.parse(said(["api"], { input: `${JSON.stringify({ method: "assertions", file })}\n` }));
  if (result === null) throw new Error(`${file}: ${JSON.stringify(problems)}`);
  return result;
}

/** The reports on the assertions of a script, in order. Some are undecided on purpose. */
export function verdicts(file) {
  const lines = said(["check", file, "--format", "json"], { statuses: [...ANSWERED, 3] }).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The drawing of the components and channels of a process, or null if it has one component alone. */
export function channels(process, file) {
  const drawing = drawn(["machine", process, file, "--channels"]);
  return drawing && !/^<title>[^<]*: 1 component,/m.test(drawing) ? drawing : null;
}

/** The drawing of all states of a process, or null if these are more than `most`. */
export function graph(process, file, most) {
  return drawn(["graph", process, file, "--max-states", String(most + 1), "--max-nodes", String(most)]);
}

/** The drawing of the states of a process by their distance from the initial one, or null if it has no end. */
export function layers(process, file) {
  return drawn(["graph", process, file, "--overview", "layers"]);
}

/** A drawing, or null where it is incomplete, or was not finished in time. */
function drawn(words) {
  const call = [...words, "--format", "svg", "--timeout", String(LONGEST_DRAWING)];
  const { status, error, stdout } = spawnSync(PROGRAM, call, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw new Error(`${PROGRAM} cannot be run: ${error.message}`);
  if (![0, 3].includes(status)) throw new Error(`cspsym ${call.join(" ")} ends with status ${status}`);
  return status === 0 ? stdout : null;
}
