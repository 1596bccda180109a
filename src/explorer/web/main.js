// The page: the script on the left, and what can be seen of it on the right.
import { htm, h, render, Component } from "./vendor.js";
import { ask, opening, Refusal } from "./api.js";
import { connection } from "./connection.js";
import { Dialog } from "./dialogs.js";
import { FilesEditor } from "./editor.js";
import { FileHead, FileTabs, PlaceLink, Uses, WorkFiles, opened } from "./files.js";
import { Gone } from "./gone.js";
import { keepChosen, keepPlace, keptChosen, takePlace } from "./keeping.js";
import { language } from "./language.js";
import { Splitter } from "./splitter.js";
import { TabRow } from "./tabs.js";
import { packed, unpacked, startOf } from "./link.js";
import { Stage } from "./stage.js";
import { ChecksView } from "./checks.js";
import { WalkView } from "./walk.js";
import { GameView, heldGame } from "./game.js";
import { GraphView } from "./graph.js";
import { StructureView } from "./structure.js";
import { SymmetryView } from "./symmetry.js";
import { Trail, foundOn } from "./walking.js";
import { Checking, stillAbout } from "./checking.js";
import { Scripts } from "./scripts.js";
import { Settings } from "./settings.js";
import { Constants } from "./constants.js";
import { LabView, isLab, noLab, readLab } from "./lab.js";

const html = htm.bind(h);

/** The values and options with which the page begins. */
function chosenBefore(start) {
  const { definitions = start.definitions ?? [], settings } = keptChosen(start) ?? {};
  return { definitions, settings: new Settings(settings) };
}

const TABS = [
  ["checks", "Assertions", ChecksView],
  ["walk", "Step", WalkView],
  ["game", "Game", GameView],
  ["graph", "Graph", GraphView],
  ["structure", "Structure", StructureView],
  ["symmetry", "Symmetry", SymmetryView],
];

/** After a change the script is read again once nobody has typed for so many milliseconds. */
const PAUSE = 300;

class Page extends Component {
  constructor({ start }) {
    super();
    this.state = {
      ...opened(start),
      problems: [], assertions: [], processes: [], pictures: [], constants: [], verdicts: {}, checking: null,
      ...chosenBefore(start), showsSettings: false,
      version: 0, tab: "checks", subject: null, path: [], walk: null, walkProblem: null, isWalking: false, found: null, isOtherRun: false,
      note: null, showsScript: false, dialog: null, connection: connection.state, toAsk: null, game: null, ...noLab,
    };
    if (isLab(this.state.text)) this.state.tab = "lab";
    this.files = new WorkFiles(this, start);
    this.place = null;
    this.checking = new Checking(this);
    /** By view, how many requests are worked on that can be stopped. */
    this.busy = {};
  }

  /** The views that this script has: a lab comes first. */
  get tabs() {
    return isLab(this.state.text) ? [["lab", "Lab", LabView], ...TABS] : TABS;
  }

  // ---- The script

  get script() {
    return { file: this.props.start.file, definitions: this.state.definitions, files: this.files.texts };
  }

  /** A request about the script. A walk may be one of another instance: `instance` is a definition for it, or several. */
  request({ instance, ...parameters }) {
    const { script } = this;
    return { ...script, definitions: [...script.definitions, ...[instance ?? []].flat()], ...parameters };
  }

  /** A request about the script that is answered by the limits and options that are set. */
  decided(parameters) {
    const { settings } = this.state;
    return { ...this.request(parameters), timeout: settings.seconds, ...settings.asked() };
  }

  ask(method, parameters, signal) {
    return this.noted(ask(method, this.decided(parameters), signal), signal).then(({ result }) => result);
  }

  /** The result with its drawing. */
  askDrawn(method, parameters, signal) {
    const answer = ask(method, this.decided({ ...parameters, drawing: true }), signal);
    return this.noted(answer, signal).then(({ result, drawing }) => ({ ...result, drawing }));
  }

  /** Notes that the view that is seen works until there is this `answer`, if that can be stopped there. */
  noted(answer, signal) {
    if (!signal) return answer;
    const { tab } = this.state;
    this.busy[tab] = (this.busy[tab] ?? 0) + 1;
    return answer.finally(() => {
      this.busy[tab] -= 1;
      if (this.state.tab !== tab) this.forceUpdate();
    });
  }

  componentDidMount() {
    this.editor = new FilesEditor(this.place, {
      changed: (file, text) => this.edited(file, text),
      saved: () => this.files.save(),
      label: (file) => (file === this.props.start.file ? "Script" : this.files.named(file)),
      more: language(this),
    });
    this.files.display();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.openHash(location.hash));
    window.addEventListener("beforeunload", (event) => {
      // Where the program has another address now, its page has the draft.
      if (this.files.changed.length > 0 && this.state.connection !== "moved") event.preventDefault();
    });
    connection.told = (state) => this.connected(state);
    this.read().then(() => this.start());
  }

  /** Opens what the address says, or goes on where somebody was when the program ended. */
  start() {
    const place = takePlace(this.props.start.identity);
    if (location.hash.length > 1) return this.openHash(location.hash);
    return place && this.openLink(place.link, !place.isLink);
  }

  /** What to do when the program has gone, and when it is there again. The page of another run goes on where this one is. */
  async connected(state) {
    this.setState({ connection: state });
    // What is written here now would be kept nowhere.
    if (state === "moved") return this.files.all.forEach(({ file }) => this.editor.lock(file, true));
    const { identity } = this.props.start;
    const place = state === "gone" ? { link: await this.link(), isLink: this.files.isLink } : null;
    if (connection.state === state) keepPlace(identity, place);
  }

  /** After a change of the state. */
  settled(change) {
    return new Promise((done) => this.setState(change, done));
  }

  edited(file, text) {
    this.files.set(file, { text });
    this.changed({ uses: null }).then(() => this.files.keep());
  }

  /** Replaces constants of the script by these `definitions`. */
  define(definitions) {
    this.changed({ definitions }).then(() => this.keepChosen());
  }

  /** Keeps in the browser which values and options were chosen beside those that the program was started with. */
  keepChosen() {
    const { start } = this.props;
    const { definitions, settings } = this.state;
    if (!this.files.isLink) keepChosen(start, { definitions, settings: settings.chosen });
  }

  /** Takes other limits and options. What was decided by others may be otherwise by these. */
  choose(settings) {
    this.setState(({ version }) => ({ settings, version: version + 1 }), () => this.keepChosen());
  }

  /** What is asked from now on is about another script: one with this `change`. */
  changed(change) {
    const note = this.state.checking ? "The check was ended, because what it is about has changed." : null;
    this.checking.drop();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
    return this.settled(({ version }) => ({ ...change, note, version: version + 1 }));
  }

  /** Reads the script again: what is wrong with it, and what it has. */
  async read() {
    // What is still asked of the text before is of no use: it might be answered last.
    this.reading?.abort();
    const { signal } = (this.reading = new AbortController());
    await readLab(this, signal);
    let problems = [];
    try {
      const read = await ask("problems", this.script, signal);
      ({ problems } = read);
      this.setState({ problems });
      this.files.listed(read.result.files);
      this.editor.mark(problems);
      const { assertions, processes, constants, pictures = [] } = (await ask("assertions", this.script, signal)).result;
      this.setState(({ verdicts }) => ({ assertions, processes, constants, pictures, verdicts: stillAbout(verdicts, assertions) }));
      // A walk that was begun since the last change is about this script.
      const isOld = this.state.subject && this.trail?.version !== this.state.version;
      // The feedback of a lab is about the script before.
      if (isOld && this.state.subject.task) this.setState({ subject: null, walk: null, path: [] });
      else if (isOld) await this.walkTo(this.state.path, this.state.walk?.steps.length);
    } catch (error) {
      // What is wrong with the script is said already.
      const isSaid = error instanceof Refusal && problems.length > 0;
      if (!signal.aborted && !isSaid) this.setState({ note: error.message });
    }
  }

  /** Goes to a place of the script. */
  async show(place) {
    if (!(await this.files.show(place.file))) return;
    await this.settled({ showsScript: true });
    this.editor.show(place);
  }

  /** Goes to the place `file:line:column`. */
  showText(text) {
    const [, file, line, column] = text.match(/^(.*):(\d+):(\d+)$/) ?? [];
    if (file) this.show({ file, line: Number(line), column: Number(column), end_line: Number(line), end_column: Number(column) + 1 });
  }

  // ---- Walks

  walkProcess(process) {
    return this.begin({ process }, []);
  }

  /** Walks to the end of the counterexample of an assertion, if it has one. */
  walkAssertion(assertion) {
    return this.begin({ assertion }, null);
  }

  /** Walks `process` by a shortest way to the state that its graph gives this number. */
  async walkToState(process, state) {
    const walk = await this.ask("at", { process, state });
    return this.begin({ process }, walk.steps.map((step) => step.name));
  }

  /** Draws the process of an assertion, on which its counterexample is marked. */
  showInGraph(assertion) {
    const { process } = this.state.assertions.find(({ number }) => number === assertion);
    if (this.graph) this.graph.picked = assertion;
    this.setState({ tab: "graph", toAsk: process });
  }

  async begin(subject, path) {
    this.setState({ tab: "walk", subject, path: path ?? [], walk: null, walkProblem: null, found: null, isOtherRun: false });
    await this.go(subject, path);
  }

  /** Takes the walk of `subject` to the end of `path`. */
  async go(subject, path) {
    this.setState({ isWalking: true });
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const { version } = this.state;
      if (this.trail?.subject !== subject || this.trail.version !== version) this.trail = new Trail(subject, version);
      const walk = await this.trail.to(path, (method, parameters) => this.ask(method, parameters));
      if (turn !== this.turn) return;
      // From its counterexample on an assertion may be walked in the instance that fails.
      if (path === null) this.setState({ found: foundOn(walk), ...(walk.instance ? { subject: { ...subject, instance: walk.instance } } : {}) });
      const names = walk.steps.map((step) => step.name);
      // Steps that were taken back can be taken again.
      const isBefore = names.every((name, index) => this.state.path[index] === name);
      this.setState({ walk, walkProblem: null, isWalking: false, path: isBefore && path !== null && this.state.path.length > names.length ? this.state.path : names });
    } catch (error) {
      if (turn === this.turn) this.setState({ walkProblem: error, isWalking: false });
    } finally {
      if (turn === this.turn) this.aim = null;
    }
  }

  /** Goes along `path`, as far as it fits: the script may have changed. */
  async walkTo(path, steps = path.length) {
    await this.go(this.state.subject, path.slice(0, steps));
  }

  /** Goes to the end of one of the runs of a counterexample. */
  goAlong(path, isOtherRun = false) {
    this.setState({ isOtherRun });
    return this.go(this.state.subject, path);
  }

  take(name) {
    const taken = this.state.walk.steps.map((step) => step.name);
    return this.go(this.state.subject, [...taken, name]);
  }

  goTo(steps) {
    const { path } = this.state;
    this.aim = Math.min(Math.max(steps, 0), path.length);
    return this.go(this.state.subject, path.slice(0, this.aim));
  }

  /** Goes so many steps on, or back. Where several are asked for before there is an answer, each counts. */
  goBy(steps) {
    return this.goTo((this.aim ?? this.state.walk.steps.length) + steps);
  }

  randomStep() {
    const { choices } = this.state.walk;
    if (choices.length > 0) return this.take(choices[Math.floor(Math.random() * choices.length)].name);
  }

  why(event) {
    const path = this.state.walk.steps.map((step) => step.name);
    return this.ask("why", { ...this.state.subject, path, event });
  }

  // ---- Links

  /** What follows `#` in a link to what is seen. */
  link() {
    const { text, definitions, settings, subject, tab, walk, found } = this.state;
    const game = heldGame(this.state.game);
    const path = walk?.steps.map((step) => step.name) ?? null;
    return packed({ file: this.props.start.file, text, files: this.files.toLink, definitions, settings: settings.chosen, subject, path, tab, game, found });
  }

  async showLink() {
    // Who opens the link may not have the files that the script includes.
    await this.files.loadAll().catch(() => {});
    const link = `${location.origin}${location.pathname}${location.search}#${await this.link()}`;
    this.setState({ dialog: { kind: "link", link } });
  }

  /** What follows `#` in the address of the page is where to start, or a link. */
  openHash(hash) {
    const start = startOf(hash);
    if (!start) return this.openLink(hash);
    const { tab, process } = start;
    if (!this.tabs.some(([name]) => name === tab)) return this.setState({ note: `There is no view “${tab}” of this script.` });
    if (tab === "walk" && process) return this.walkProcess(process);
    this.setState({ tab, toAsk: process });
  }

  /** Opens a link. The text of one that `isOwn` is the draft of the reader, which is there already. */
  async openLink(link, isOwn = false) {
    try {
      const content = await unpacked(link);
      await this.readLinked(content, isOwn);
      const { subject, path, tab, game, found } = content;
      this.setState({ tab: tab ?? "checks", game: game ?? null, dialog: null });
      if (subject) {
        await this.begin(subject, path ?? []);
        this.setState({ tab: tab ?? "walk", found: found ?? null });
      }
    } catch (error) {
      // What is said behind a dialog is not seen.
      this.setState(({ dialog }) => (dialog ? { dialog: { ...dialog, problem: error.message } } : { note: error.message }));
    }
  }

  /** Takes the script of a link, with its values and settings. The reader's own draft stays what it is. */
  async readLinked({ text, files, definitions = [], settings }, isOwn) {
    const unread = isOwn ? {} : { assertions: [], processes: [], constants: [], verdicts: {} };
    const read = { definitions, settings: new Settings(settings), ...unread };
    if (!isOwn) await this.files.linked(text, files);
    const rest = `The link was opened. Nothing of it is kept before you ${this.props.start.program ? "download" : "save"} it.`;
    this.setState({ ...read, note: isOwn ? "You go on where you were when the program ended." : rest });
    clearTimeout(this.timer);
    Object.assign(this.state, read);
    await this.read();
  }

  // ---- Keys

  key(event) {
    const inField = event.target.closest?.("input, select, textarea, .editor, dialog");
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") return this.setState({ dialog: { kind: "help" } });
    const { walk, tab } = this.state;
    if (tab !== "walk" || !walk) return;
    // In a row of tabs, and where something is scrolled, arrows mean something else.
    const moves = !event.target.closest?.("[role=tab], [role=region][tabindex]");
    if (/^[1-9]$/.test(event.key)) {
      const choice = walk.choices[Number(event.key) - 1];
      if (choice) this.take(choice.name);
    } else if (event.key === "ArrowLeft" && moves) this.goBy(-1);
    else if (event.key === "ArrowRight" && moves) this.goBy(1);
    else if (event.key === "Home" && moves) this.goTo(0);
    else if (event.key === "r") this.randomStep();
    else return;
    event.preventDefault();
  }

  // ---- What is seen

  render({ start }, state) {
    const { tabs } = this;
    // What was a lab may be none any more.
    const [tab, , View] = tabs.find(([name]) => name === state.tab) ?? tabs[0];
    const works = { checks: state.checking !== null, game: state.game?.isBusy, lab: state.marking !== null };
    const isAtWork = (name) => name !== tab && (works[name] || this.busy[name] > 0);
    return html`
      <div class=${`page ${state.showsScript ? "shows-script" : ""} ${state.connection === "there" ? "" : "is-alone"}`}>
        <header class="top">
          <h1><img src="icon.svg" alt="" /> cspsym</h1>
          <${Scripts} start=${start} />
          <${FileHead} app=${this} />
          <span class="grow" aria-live="polite">${state.note && html`${state.note} <button class="link" onClick=${() => this.setState({ note: null })}>ok</button>`}</span>
          <button class="narrow-only" onClick=${() => this.setState({ showsScript: !state.showsScript })}>${state.showsScript ? "Views" : "Script"}</button>
          <button onClick=${() => this.showLink()}>Link</button>
          <button onClick=${() => this.setState({ dialog: { kind: "open" } })}>Open a link</button>
          <button onClick=${toggleTheme} aria-label="Light or dark">◐</button>
          <button onClick=${() => this.setState({ dialog: { kind: "help" } })} aria-label="Help">?</button>
          <${Gone} state=${state.connection} start=${start} />
        </header>
        <section class="script" id="script" aria-label="Script">
          <${FileTabs} app=${this} />
          <${Constants} app=${this} />
          <div class="editor" id="editor" ...${this.files.panel} ref=${(place) => (this.place = place)}></div>
          <${Messages} app=${this} problems=${state.problems} />
          <${Uses} app=${this} />
        </section>
        <main class="views">
          <${Splitter} controls="script" />
          <${TabRow} label="Views" tabs=${tabs.map(([name, label]) => (isAtWork(name) ? [name, html`${label}<span class="busy"></span>`, `${label}, at work`] : [name, label]))}
            chosen=${tab} choose=${(tab) => this.setState({ tab })} panel="view" />
          <${Stage} name=${tab} View=${View} app=${this} />
        </main>
        ${state.dialog && html`<${Dialog} page=${this} dialog=${state.dialog} />`}
      </div>`;
  }
}

function Messages({ app, problems }) {
  if (problems.length === 0) return null;
  return html`
    <section class="messages" aria-label="Messages" tabindex="0">
      <ul>${problems.map((problem) => html`
        <li><strong class=${`severity-${problem.severity}`}>${problem.severity}[${problem.code}]</strong> ${problem.message}
          ${problem.places[0] && html` <${PlaceLink} app=${app} place=${problem.places[0]} />`}
          ${problem.hint && html`<div class="soft">help: ${problem.hint}</div>`}
        </li>`)}</ul>
    </section>`;
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

const place = document.getElementById("app");
const failed = (error) => {
  place.textContent = `The page cannot be opened: ${error.message}`;
};
opening().then(
  (start) => {
    place.replaceChildren();
    render(html`<${Page} start=${start} />`, place);
    document.title = `${start.file} – cspsym`;
    boot.isOpen();
  },
  (error) => {
    // A TypeError is how `fetch` says that a connection broke.
    if (!(error instanceof TypeError && boot.openAnew())) failed(error);
  },
).catch(failed);
