// A lab beside the editor: its tasks, predictions, games, checks and hints. Predictions and games are lines of
// the script, so that `cspsym lab check` sees the same ones once it is saved.
import { htm, h, useState, useRef, useEffect } from "./vendor.js";
import { ask, Refusal } from "./api.js";
import { Copy } from "./copying.js";
import { Markdown } from "./markdown.js";
import { Problems } from "./problems.js";
import { gameOfTask } from "./game.js";
import { count } from "./walk.js";

const html = htm.bind(h);

/** Whether the script `text` belongs to a lab. */
export const isLab = (text) => /^--\?\s*lab\s+\S/m.test(text);

/** What each outcome of a task is called, and the sign beside its number. */
const OUTCOMES = {
  passed: ["done", "✓"], failed: ["to do", "•"], locked: ["predict first", "?"],
  unknown: ["undecided", "…"], error: ["a mistake", "!"], none: ["not checked yet", ""],
};

/** The view of the lab that the script belongs to. */
export function LabView({ app }) {
  const { lab, labProblem, strayLines, labTask, marks, marking } = app.state;
  if (labProblem) return html`<p class="notice bad">${labProblem}</p>`;
  if (!lab) return html`<p class="busy">the lab is being opened…</p>`;
  const task = lab.tasks.find(({ number }) => number === labTask) ?? lab.tasks[0];
  const everybody = lab.tasks.filter(({ stretch }) => !stretch);
  const done = everybody.filter(({ number }) => marks[number]?.outcome === "passed").length;
  return html`
    <div class="row lab-head">
      <h2>${lab.title}</h2>
      <progress max=${everybody.length} value=${done} aria-label="Tasks done"></progress>
      <span class="soft grow" aria-live="polite">${done} of ${count(everybody.length, "task")} done, ${lab.minutes} minutes in all</span>
      <button onClick=${() => markAll(app)} disabled=${marking !== null}>Check all tasks</button>
      ${marking !== null && html`<button onClick=${() => app.labWork.abort()}>Stop</button>`}
    </div>
    <div aria-live="polite"><${Problems} app=${app} problems=${strayLines} /></div>
    <div class="lab">
      <${Tasks} app=${app} lab=${lab} task=${task} />
      <section class="card" aria-labelledby="task-title">
        <${Task} key=${task.number} app=${app} lab=${lab} task=${task} />
      </section>
    </div>`;
}

/** The tasks, one of which is shown: a list in which arrows go up and down. */
function Tasks({ app, lab, task }) {
  const { marks } = app.state;
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && lab.tasks[lab.tasks.indexOf(task) + step];
    if (!next) return;
    event.preventDefault();
    choose(app, next.number, () => document.getElementById(`task-${next.number}`).focus());
  };
  return html`
    <nav aria-label="Tasks"><ol class="tasks" onKeyDown=${move}>${lab.tasks.map((other) => {
      const [word, sign] = OUTCOMES[outcome(other, marks)];
      return html`<li><button id=${`task-${other.number}`} aria-current=${other === task ? "step" : undefined} class=${outcome(other, marks)}
        onClick=${() => choose(app, other.number)}>
        <span class="sign" aria-hidden="true">${sign}</span><span>${other.number}. ${other.title}${other.stretch ? " (stretch)" : ""}</span>
        <span class="hidden">, ${word}</span></button></li>`;
    })}</ol></nav>`;
}

/** Shows a task, and where its part of the script begins. */
function choose(app, number, then) {
  const line = app.state.text.split("\n").findIndex((text) => new RegExp(`^--\\s*Task ${number}\\b`).test(text));
  if (line >= 0) app.files.show(app.props.start.file).then(() => app.editor.reveal(line + 1));
  app.setState({ labTask: number }, then);
}

/** How far a task is: what its last check said, or that a line of it is wrong, or that its predictions come first. */
function outcome(task, marks) {
  if (task.problems) return "error";
  if (isPredictedFirst(task)) return "locked";
  const found = marks[task.number]?.outcome;
  return found && found !== "locked" ? found : "none";
}

/** Whether predictions are missing, without which nothing is checked. */
const isPredictedFirst = (task) => task.predictions.some(({ predicted }) => predicted === null);

function Task({ app, lab, task }) {
  const { marks, marking, text } = app.state;
  const mark = marks[task.number];
  const isLocked = isPredictedFirst(task);
  const [word] = OUTCOMES[outcome(task, marks)];
  return html`
    <div class="row"><h2 id="task-title" class="grow">Task ${task.number}: ${task.title}</h2>
      <span class=${`verdict ${outcome(task, marks)}`}>${word}</span> <span class="soft">${count(task.minutes, "minute")}</span></div>
    ${task.number === 1 && html`<details><summary>About this lab</summary><${Markdown} text=${lab.introduction} /></details>`}
    <details><summary>What is given: <code>${lab.given.file}</code></summary>
      <pre class="given" tabindex="0" role="region" aria-label=${lab.given.file}>${lab.given.text}</pre></details>
    <${Markdown} text=${task.text} />
    ${task.predictions.length > 0 && html`<${Predictions} app=${app} task=${task} mark=${mark} />`}
    ${(task.games ?? []).map((game) => html`<${TaskGame} app=${app} task=${task} game=${game} />`)}
    <div class="row">
      <button class="primary" onClick=${() => markTask(app, task.number)} disabled=${isLocked || marking !== null}
        aria-describedby=${isLocked ? "locked" : undefined}>Check task ${task.number}</button>
      ${isLocked && html`<span id="locked" class="soft">Predict first: then the verdicts are shown.</span>`}
      ${marking === task.number && html`<span class="busy">checking…</span>`}
    </div>
    <div aria-live="polite">${task.problems ? html`<${Problems} app=${app} problems=${task.problems} />` : mark && !isLocked && html`<${Feedback} app=${app} mark=${mark} isOld=${mark.text !== text} />`}</div>
    <${Hints} hints=${task.hints} />`;
}

/** What comes out, as `cspsym lab check` says it. */
function Feedback({ app, mark, isOld }) {
  const old = isOld ? html`<p class="soft">You have changed the script since: check again.</p>` : null;
  if (mark.problem) return html`<p class="notice bad">${mark.problem}</p>${old}`;
  return html`
    ${mark.outcome === "passed" && html`<p class="notice good"><strong>Task ${mark.task} is done.</strong></p>`}
    ${mark.feedback && html`<div class=${`notice ${mark.outcome === "failed" ? "bad" : "maybe"}`}><pre class="feedback">${mark.feedback}</pre></div>`}
    <${Run} app=${app} mark=${mark} isOld=${isOld} />
    <${Problems} app=${app} problems=${mark.problems ?? []} />
    ${old}`;
}

/** What can be done with a counterexample. */
function Run({ app, mark, isOld }) {
  if (!mark.trace) return null;
  const { walk, task } = mark;
  return html`<div class="row">
    ${walk && html`<button disabled=${isOld} onClick=${() => app.begin({ task, assertion: walk.assertion, instance: walk.definitions }, null)}>Step through it</button>`}
    ${mark.trace.length > 0 && html`<${Copy} label="Copy this trace" text=${`<${mark.trace.join(", ")}>`} />`}
  </div>`;
}

/** The predictions of a task. One that is made stays, and is told apart from what came out. */
function Predictions({ app, task, mark }) {
  const [problem, setProblem] = useState(null);
  const open = task.predictions.filter(({ predicted }) => predicted === null);
  const submit = async (event) => {
    event.preventDefault();
    const answers = [...new FormData(event.target)].filter(([, answer]) => answer.trim());
    setProblem(answers.length === 0 ? "Say first what you expect." : await predict(app, Object.fromEntries(answers)));
  };
  return html`
    <form class="predictions" onSubmit=${submit} aria-label="Predictions">
      ${task.predictions.map((prediction) => html`<${Prediction} prediction=${prediction} found=${foundOf(mark, prediction.name)} />`)}
      ${open.length > 0 && html`<div class="row"><button type="submit">Predict</button>
        <span class="soft">A prediction is written into your script, and nobody marks whether it is right.</span></div>`}
      ${problem && html`<p class="notice maybe" role="alert">${problem}</p>`}
    </form>`;
}

const foundOf = (mark, name) => mark?.predictions?.find((prediction) => prediction.name === name);

function Prediction({ prediction, found }) {
  const { name, question, measure, predicted } = prediction;
  if (predicted !== null) {
    const is = found?.right === true ? html`, and so it is: <code>${found.found}</code>` : found?.right === false ? html`, but it is <code>${found.found}</code>` : null;
    return html`<p><strong>${name}</strong> ${question}<br />You predicted <code>${predicted}</code>${is}.
      ${found?.explanation && html`<br />${found.explanation}`}</p>`;
  }
  if (measure === "verdict") {
    return html`<fieldset><legend><strong>${name}</strong> ${question}</legend>
      ${["holds", "fails"].map((answer) => html`<label><input type="radio" name=${name} value=${answer} /> ${answer}</label>`)}</fieldset>`;
  }
  return html`<p><label for=${`prediction-${name}`}><strong>${name}</strong> ${question}</label>
    <input id=${`prediction-${name}`} name=${name} class="code" inputmode="numeric" size="10" autocomplete="off" /></p>`;
}

/** A game that the task asks for. It is played in the view *Game*, from where the script has left it. */
function TaskGame({ app, task, game }) {
  const { name, side, wanted, moves } = game;
  return html`
    <div class="row">
      <p class="grow"><strong>${name}</strong> ${wanted} <span class="soft">You are the ${side}.</span>
        ${moves.length > 0 && html`<br />Your moves: ${moves.map((move) => html`<span class="chip">${move}</span> `)}`}</p>
      <button onClick=${() => app.setState(gameOfTask(task.number, game))} aria-label=${`Play ${name}`}>Play</button>
    </div>`;
}

/** Hints, a step at a time. */
function Hints({ hints }) {
  const [shown, setShown] = useState(0);
  const list = useRef(null);
  // Who has asked by keyboard goes on reading where the hint is.
  useEffect(() => {
    if (shown > 0) list.current?.lastElementChild?.focus();
  }, [shown]);
  return html`
    ${shown > 0 && html`<ol class="hints" ref=${list} aria-label="Hints">${hints.slice(0, shown).map((hint) => html`<li tabindex="-1"><${Markdown} text=${hint} /></li>`)}</ol>`}
    ${shown < hints.length && html`<button class="link" onClick=${() => setShown(shown + 1)}>${["A question that helps", "Where to look", "The next step"][shown] ?? "One more hint"}</button>`}`;
}

// ---- What the page asks

/** What a page without a lab starts with. */
export const noLab = { lab: null, labProblem: null, strayLines: [], labTask: 1, marks: {}, marking: null };

/** Reads the lab of the script again, and which lines of the script belong to none of its tasks. */
export async function readLab(app, signal) {
  if (!isLab(app.state.text)) return;
  try {
    const { result, problems } = await ask("lab", app.script, signal);
    app.setState({ lab: result, labProblem: null, strayLines: problems });
  } catch (error) {
    if (!signal.aborted) app.setState({ labProblem: error.message });
  }
}

/** Writes predictions into the script. Returns what is wrong with them, if anything is. */
async function predict(app, predictions) {
  try {
    const { result } = await ask("lab", { ...app.script, predictions });
    app.files.put(result.text);
    app.setState({ lab: result });
    return null;
  } catch (error) {
    return error.message;
  }
}

/** Checks one task. */
async function markTask(app, number) {
  const { text } = app.state;
  const own = (app.labWork = new AbortController());
  app.setState({ marking: number });
  let mark;
  try {
    const { result, problems } = await ask("lab", { ...app.script, task: number }, own.signal);
    // Lines that belong to no task are told once, above all tasks.
    const told = app.state.strayLines.map((line) => JSON.stringify(line));
    const errors = problems.filter((problem) => problem.severity !== "warning" && !told.includes(JSON.stringify(problem)));
    mark = { ...result.mark, problems: errors, text };
  } catch (error) {
    if (!own.signal.aborted) mark = { outcome: error instanceof Refusal ? "error" : "unknown", problem: error.message, text };
  }
  app.setState(({ marks }) => ({ marking: null, marks: mark ? { ...marks, [number]: mark } : marks }));
  return !own.signal.aborted;
}

/** Checks one task after the other, but for those whose predictions are missing. */
async function markAll(app) {
  for (const task of app.state.lab.tasks) {
    if (outcome(task, {}) === "none" && !(await markTask(app, task.number))) return;
  }
}
