// The refinement game: the student attacks a refinement or defends it, against the program.
import { htm, h, useState, useRef, useEffect, useLayoutEffect } from "./vendor.js";
import { count } from "./walk.js";
import { ask } from "./api.js";
import { Outdated } from "./asking.js";
import { Offers } from "./offers.js";
import { Failure } from "./problems.js";

const html = htm.bind(h);

const MODELS = [["T", "T: traces"], ["F", "F: and what is refused at rest"], ["FD", "FD: and divergence"]];
const REFINEMENT = /\[(T|F|FD)=/;

/** So many states and moves are shown at once. */
const MOST = 200;

/** The assertions that can be played for. */
const refinements = ({ assertions }) => assertions.filter(({ text }) => isPlayable(text));

/** What is played for at first: the first refinement of the script, or its first two processes. */
function firstWish({ assertions, processes }) {
  const [refinement] = refinements({ assertions });
  return {
    assertion: refinement ? String(refinement.number) : "", model: "", side: "attacker",
    specification: processes[0] ?? "", implementation: processes[1] ?? processes[0] ?? "",
  };
}

/** True if the assertion `text` is a refinement that can be played, where it is decided in `model`, if that is known. */
export const isPlayable = (text, model = null) => REFINEMENT.test(text) && [null, "T", "F", "FD"].includes(model);

/** The state of the page in which the game about the assertion `number` is begun, in the model in which it was decided. */
export const gameAbout = (state, number, model) => ({ tab: "game", game: { wish: { ...firstWish(state), assertion: String(number), model }, toMake: [] } });

/** The state of the page in which a game is begun that `task` of a lab asks for: it goes on where the script has left it. */
export const gameOfTask = (task, { name, side, wanted, moves }) => ({ tab: "game", game: { wish: { game: name, side, wanted, task }, toMake: moves } });

/** What a link holds of a game: the moves are made again. */
export const heldGame = (game) => game?.report && { wish: game.wish, toMake: game.report.moves };

/** The view of the game. What is played is kept by the page, so that it is there again after another view. */
export function GameView({ app }) {
  const { game } = app.state;
  const [wish, setWish] = useState(game?.wish ?? firstWish(app.state));
  const work = useRef(null);
  useEffect(() => () => work.current?.abort(), []);
  const keep = (changes) => app.setState(({ game }) => ({ game: { ...game, ...changes } }));
  const play = async (wish, moves, hint = false) => {
    work.current?.abort();
    const own = (work.current = new AbortController());
    const { version } = app.state;
    keep({ wish, isBusy: true, problem: null });
    try {
      const { result: report, text } = await ask("game", app.decided({ ...asked(wish), moves, hint }), own.signal);
      if (work.current !== own) return;
      // A game of a lab comes with the script that has its moves. Whoever goes on writing keeps what is written.
      const isKept = text !== undefined && app.state.version === version;
      if (isKept) app.files.put(text);
      app.setState(({ game, version: now }) => ({ game: { ...game, report, version: isKept ? now : version, isBusy: false } }));
    } catch (error) {
      if (work.current === own) keep({ isBusy: false, problem: own.signal.aborted ? null : error });
    }
  };
  // A link was opened, or a game is begun from another view.
  useEffect(() => {
    if (!game?.toMake) return;
    setWish(game.wish);
    keep({ toMake: null });
    play(game.wish, game.toMake);
  }, [game?.toMake]);
  const begin = (wish) => {
    setWish(wish);
    keep({ report: null });
    return play(wish, []);
  };
  return html`
    ${wish.game ? html`<${OfTask} app=${app} wish=${wish} setWish=${setWish} begin=${game?.problem && begin} />` : html`<${Wish} app=${app} wish=${wish} setWish=${setWish} begin=${begin} />`}
    <div aria-live="polite">
      ${game?.isBusy && !game.report && html`<p class="busy">all positions are looked at… <button onClick=${() => work.current?.abort()}>Stop</button></p>`}
      ${game?.problem && html`<${Failure} app=${app} error=${game.problem} />`}
    </div>
    ${!game?.report && !game?.isBusy && html`
      <${Offers} title="Play one of these" all=${refinements(app.state)} name=${({ number, text }) => `${number}: ${text}`}
        choose=${({ number }) => begin({ ...wish, assertion: String(number) })} />
      <${Rules} />`}
    ${game?.report && html`<${Outdated} app=${app} version=${game.version} />
      <${Board} report=${game.report}
        move=${(name) => play(game.wish, [...game.report.moves, name])}
        hint=${() => play(game.wish, game.report.moves, true)}
        back=${() => play(game.wish, game.report.moves.slice(0, -1))}
        again=${() => begin(game.wish)}
        swap=${game.wish.game ? null : () => begin({ ...game.wish, side: game.wish.side === "attacker" ? "defender" : "attacker" })} />`}`;
}

/** The keys of a request that says what is played for. */
const asked = ({ game, assertion, specification, implementation, model, side }) => game ? { game } : ({
  side,
  ...(assertion ? { assertion: Number(assertion) } : { specification, implementation }),
  ...(model && { model }),
});

/** What a task of a lab wants to be shown, and the way back to it. A game that cannot be taken up can be begun. */
function OfTask({ app, wish, setWish, begin }) {
  const { task, game, wanted } = wish;
  const leave = () => {
    setWish(firstWish(app.state));
    app.setState({ game: null });
  };
  return html`
    <div class="row">
      <p class="grow"><strong>Task ${task}, game ${game}.</strong> ${wanted} <span class="soft">Your moves are kept in your script.</span></p>
      ${begin && html`<button class="primary" onClick=${() => begin(wish)}>Begin anew</button>`}
      <button onClick=${() => app.setState({ tab: "lab", labTask: task })}>Back to task ${task}</button>
      <button onClick=${leave}>Another game</button>
    </div>`;
}

/** What is to be played. */
function Wish({ app, wish, setWish, begin }) {
  const { processes } = app.state;
  const change = (name) => (event) => setWish({ ...wish, [name]: event.target.value });
  const submit = (event) => {
    event.preventDefault();
    begin(wish);
  };
  const field = (name, label) => html`
    <label for=${`game-${name}`}>${label}</label>
    <input id=${`game-${name}`} list="game-processes" class="code" size="16" required value=${wish[name]} onInput=${change(name)} />`;
  return html`
    <form class="game-wish" onSubmit=${submit}>
      <div class="row">
        <label for="game-assertion">Refinement</label>
        <select id="game-assertion" class="grow" value=${wish.assertion} onChange=${change("assertion")}>
          <option value="">two processes…</option>
          ${refinements(app.state).map((a) => html`<option value=${a.number}>${a.number}: ${a.text}</option>`)}
        </select>
        <label for="game-model">Model</label>
        <select id="game-model" value=${wish.model} onChange=${change("model")}>
          <option value="">${wish.assertion ? "as it is written" : "T: traces"}</option>
          ${MODELS.filter(([name]) => wish.assertion || name !== "T").map(([name, label]) => html`<option value=${name}>${label}</option>`)}
        </select>
      </div>
      ${!wish.assertion && html`<div class="row">
        ${field("specification", "Specification")} ${field("implementation", "Implementation")}
        <datalist id="game-processes">${processes.map((name) => html`<option value=${name} />`)}</datalist>
      </div>`}
      <fieldset class="row"><legend class="hidden">Your side</legend>
        <label><input type="radio" name="game-side" value="attacker" checked=${wish.side === "attacker"} onChange=${change("side")} /> I attack: it fails</label>
        <label><input type="radio" name="game-side" value="defender" checked=${wish.side === "defender"} onChange=${change("side")} /> I defend: it holds</label>
        <button class="primary" type="submit">Play</button>
      </fieldset>
    </form>`;
}

/** What somebody reads who has not played yet. */
function Rules() {
  return html`
    <section class="card prose" aria-label="Rules"><h2>The rules</h2>
      <p>Two players argue about a refinement, and whoever is right can always win. The <em>attacker</em> says that it fails, and moves the implementation one step at a time.
        The <em>defender</em> says that it holds: after each event she names a state of the specification that can do it too. She chooses among all states in which the specification can be after the same events, and commits to nothing.</p>
      <p>In the models F and FD the attacker can say <em>at rest</em>: the implementation does nothing by itself, and refuses too much. The defender then names a state that is at rest and offers no more.
        In FD he can go round a loop of internal steps and say <em>for ever</em>; a state that can do such steps for ever answers that, and everything else.</p>
      <p>The program makes no mistake. Afterwards it says which of your moves was one.</p>
    </section>`;
}

function Board({ report, move, hint, back, again, swap }) {
  const { end, choices } = report;
  const place = useRef(null);
  const turns = report.turns.length;
  // The keys 1 to 9 make moves, where they do not mean anything else. They do as soon as the moves are seen.
  useLayoutEffect(() => {
    const key = (event) => {
      // While another view is seen, the keys are that one's.
      const isOther = !place.current.isConnected || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, .editor, dialog");
      const choice = /^[1-9]$/.test(event.key) && choices[Number(event.key) - 1];
      if (isOther || !choice) return;
      event.preventDefault();
      move(choice.name);
    };
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  }, [report]);
  // The button that was used may be gone: whoever uses keys alone goes on from the question.
  useEffect(() => {
    if (document.activeElement === document.body && turns > 0) place.current?.focus();
  }, [report]);
  return html`
    <h2 class="game-title">${report.side === "attacker" ? "You attack" : "You defend"} <code>${report.assertion}</code></h2>
    <p class="trace">After <code>⟨${report.trace.join(", ")}⟩</code></p>
    <div class="game-sides">
      <${Implementation} report=${report} /><${Specification} report=${report} />
    </div>
    <section class="card game-turn" aria-label=${end ? "The end" : "Your move"}>
      <div ref=${place} tabindex="-1" aria-live="polite">
        ${end ? html`<${End} end=${end} />` : html`<h2>${report.question}</h2>`}
        ${report.hint && html`<p class="notice"><${Sentence} text=${report.hint.sentence} /></p>`}
      </div>
      <ol class="choices">${choices.slice(0, MOST).map((choice, index) => html`<${Choice} report=${report} choice=${choice} index=${index} move=${move} />`)}</ol>
      ${choices.length > MOST && html`<p class="soft">and ${choices.length - MOST} more</p>`}
      <div class="row game-tools" role="toolbar" aria-label="Game">
        ${!end && html`<button onClick=${hint}>Hint</button>`}
        <button onClick=${back} disabled=${report.moves.length === 0}>Take back</button>
        <button onClick=${again} disabled=${turns === 0}>Play again</button>
        ${swap && html`<button onClick=${swap}>Change sides</button>`}
      </div>
    </section>
    <${History} report=${report} />`;
}

/** A move. Of an answer the state is what counts, and its number is a name for it. */
function Choice({ report, choice, index, move }) {
  const state = report.specification_states.find(({ name }) => name === choice.name);
  return html`
    <li><button onClick=${() => move(choice.name)}>
      <span class="key">${index < 9 ? index + 1 : ""}</span>
      <span class=${`event ${choice.name.startsWith("τ") ? "internal" : ""}`}>${state ? state.text : choice.name}</span>
      <span class="who">${state ? html`<span>${choice.name}</span>: ${ability(state)} ${listed(state.offers)}` : choice.text}</span>
    </button></li>`;
}

/** A sentence in which what stands between backticks is CSPm. */
function Sentence({ text }) {
  return text.split("`").map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
}

const ability = ({ stable, offers }) => (stable ? (offers.length === 0 ? "at rest, offers nothing" : "at rest, offers") : "can do");

/** So many events of a state are shown. */
const EVENTS = 12;

const listed = (events) => events.slice(0, EVENTS).join(", ") + (events.length > EVENTS ? ` and ${events.length - EVENTS} more` : "");

function Implementation({ report }) {
  const { specification, implementation, implementation_state: state, components } = report;
  return html`
    <section class="card game-side" aria-label="Implementation">
      <h2>Implementation <code>${implementation}${implementation === specification && " #2"}</code></h2>
      <p class="soft">${report.side === "attacker" ? "You move it" : "The program moves it"}. It is in this state:</p>
      <ul class="game-states"><${State} state=${state} /></ul>
      ${components.length > 1 && html`<details><summary>${count(components.length, "component")}</summary>
        <dl class="keys">${components.map(({ name, now }) => html`<dt>${name}</dt><dd><code>${now ?? "has ended"}</code></dd>`)}</dl></details>`}
    </section>`;
}

function Specification({ report }) {
  const { specification, implementation, specification_states: states } = report;
  const many = states.length === 1 ? "It can only be in this state:" : `It can be in one of ${states.length} states:`;
  return html`
    <section class="card game-side" aria-label="Specification">
      <h2>Specification <code>${specification}${specification === implementation && " #1"}</code></h2>
      <p class="soft">${report.side === "attacker" ? "The program answers" : "You answer"} for it. ${many}</p>
      <ul class="game-states">${states.slice(0, MOST).map((state) => html`<${State} state=${state} />`)}</ul>
      ${states.length > MOST && html`<p class="soft">and ${states.length - MOST} more</p>`}
    </section>`;
}

function State({ state }) {
  return html`
    <li>${state.name && html`<span class="soft">${state.name}</span> `}<code>${state.text}</code>
      <div class="soft">${ability(state)} ${state.offers.slice(0, EVENTS).map((event) => html`<span class="chip">${event}</span> `)}${state.offers.length > EVENTS && `and ${state.offers.length - EVENTS} more`}</div>
    </li>`;
}

function End({ end }) {
  return html`
    <div class=${`notice ${end.won ? "good" : "bad"}`}>
      <strong>${end.won ? "You have won." : "The program has won."}</strong>
      ${end.sentences.map((sentence) => html`<p><${Sentence} text=${sentence} /></p>`)}
      ${end.shortest.length > 0 && !end.won && html`<p>A shortest attack: ${end.shortest.map((name) => html`<span class="chip">${name}</span> `)}</p>`}
    </div>`;
}

/** All moves; the mistake is marked. */
function History({ report }) {
  const { turns, side, end } = report;
  if (turns.length === 0) return null;
  const isMistake = (index) => end?.mistake?.turn === index + 1;
  return html`
    <section class="card game-moves" aria-label="Moves"><h2>Moves</h2>
      <div class="listing" role="region" aria-label="All moves" tabindex="0">
        <table>
          <thead><tr><th scope="col">no.</th><th scope="col">who</th><th scope="col">move</th><th scope="col">in words</th></tr></thead>
          <tbody>${turns.map((turn, index) => html`
            <tr class=${isMistake(index) ? "mistake" : ""}><td>${index + 1}</td><td>${turn.by === side ? "you" : "program"}</td><td><code>${turn.name}</code></td>
              <td>${turn.sentence}${isMistake(index) && html` <strong>← your mistake</strong>`}</td></tr>`)}
          </tbody>
        </table>
      </div>
    </section>`;
}
