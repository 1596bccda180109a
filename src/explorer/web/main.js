// The page: the script on the left, and what can be seen of it on the right.
import { htm, h, render, Component } from "./vendor.js";
import { ask, opening, save, Refusal } from "./api.js";
import { connection } from "./connection.js";
import { Dialog } from "./dialogs.js";
import { makeEditor } from "./editor.js";
import { download } from "./exporting.js";
import { Gone } from "./gone.js";
import { draftOf, keepDraft, keepPlace, takePlace } from "./keeping.js";
import { packed, unpacked, startOf } from "./link.js";
import { Stage } from "./stage.js";
import { ChecksView } from "./checks.js";
import { WalkView } from "./walk.js";
import { GameView, heldGame } from "./game.js";
import { GraphView } from "./graph.js";
import { StructureView } from "./structure.js";
import { SymmetryView } from "./symmetry.js";
import { Trail, foundOn } from "./walking.js";
import { Checking } from "./checking.js";
import { Settings } from "./settings.js";
import { Constants } from "./constants.js";
import { LabView, isLab, noLab, readLab } from "./lab.js";

const html = htm.bind(h);

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
  constructor({ start, draft }) {
    super();
    this.state = {
      text: draft ?? start.text, saved: start.text, digest: start.digest, isDraft: draft !== null && draft !== start.text,
      problems: [], assertions: [], processes: [], pictures: [], constants: [], verdicts: {}, checking: null,
      definitions: start.definitions ?? [], settings: new Settings(), showsSettings: false,
      version: 0, tab: "checks", subject: null, path: [], walk: null, walkProblem: null, isWalking: false, found: null, isOtherRun: false,
      note: null, showsScript: false, dialog: null, connection: connection.state, toAsk: null, game: null, ...noLab,
    };
    if (isLab(this.state.text)) this.state.tab = "lab";
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
    const { file, files } = this.props.start;
    return { file, definitions: this.state.definitions, files: { ...files, [file]: this.state.text } };
  }

  /** A request about the script. A walk may be one of another instance: `instance` is a definition for it, or several. */
  request({ instance, ...parameters }) {
    const { script } = this;
    return { ...script, definitions: [...script.definitions, ...[instance ?? []].flat()], ...parameters };
  }

  /** The same for what is decided by the limits and options that are set. */
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
    const changed = (text) => this.edited(text);
    this.editor = makeEditor(this.place, this.state.text, changed, () => this.save());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.openHash(location.hash));
    window.addEventListener("beforeunload", (event) => {
      // Where the program has another address now, its page has the draft.
      if (this.state.text !== this.state.saved && this.state.connection !== "moved") event.preventDefault();
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
    if (state === "moved") return;
    const { identity } = this.props.start;
    const place = state === "gone" ? { link: await this.link(), isLink: this.isLink === true } : null;
    if (connection.state === state) keepPlace(identity, place);
  }

  edited(text) {
    this.changed({ text });
    this.keepDraft(text);
  }

  /** Replaces constants of the script by these `definitions`. */
  define(definitions) {
    this.changed({ definitions });
  }

  /** What is asked from now on is about another script: one with this `change`. */
  changed(change) {
    // What is being decided is about a script that is no longer there.
    this.checking.drop();
    this.setState(({ version }) => ({ ...change, version: version + 1, verdicts: {} }));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  /** Reads the script again: what is wrong with it, and what it has. */
  async read() {
    // What is still asked of the text before is of no use: it might be answered last.
    this.reading?.abort();
    const { signal } = (this.reading = new AbortController());
    await readLab(this, signal);
    try {
      const { problems } = await ask("problems", this.script, signal);
      this.setState({ problems });
      this.editor.mark(problems, this.props.start.file);
      const { result } = await ask("assertions", this.script, signal);
      const { assertions, processes, constants, pictures = [] } = result;
      this.setState({ assertions, processes, constants, pictures });
      // A walk that was begun since the last change is about this script.
      const isOld = this.state.subject && this.trail?.version !== this.state.version;
      // The feedback of a lab is about the script before.
      if (isOld && this.state.subject.task) this.setState({ subject: null, walk: null, path: [] });
      else if (isOld) await this.walkTo(this.state.path, this.state.walk?.steps.length);
    } catch (error) {
      if (!signal.aborted && !(error instanceof Refusal)) this.setState({ note: error.message });
    }
  }

  /** Keeps `text` in the browser unless it is what the page starts with, or comes from a link. */
  keepDraft(text) {
    if (this.isLink || this.state.connection === "moved") return;
    const { start } = this.props;
    const known = start.program ? start.text : this.state.saved;
    keepDraft(start.identity, text === known ? null : text);
  }

  async save() {
    const { text, digest } = this.state;
    const { start } = this.props;
    this.isLink = false;
    if (start.program) {
      download(start.file, text);
      this.keepDraft(text);
      this.setState({ saved: text, isDraft: false, note: "Downloaded. This browser keeps your text as well." });
      return;
    }
    try {
      const answer = await save(text, digest);
      if (answer.saved || answer.text === text) {
        keepDraft(start.identity, null);
        this.setState({ saved: text, digest: answer.digest, isDraft: false, note: "Saved." });
      } else {
        this.setState({ dialog: { kind: "conflict", theirs: answer.text, digest: answer.digest } });
      }
    } catch (error) {
      this.setState({ note: `Not saved: ${error.message}` });
    }
  }

  /** Goes to a place of the script. */
  show(place) {
    if (place.file !== this.props.start.file) {
      this.setState({ note: `That is in the included file ${place.file}, line ${place.line}.` });
      return;
    }
    this.setState({ showsScript: true }, () => this.editor.show(place));
  }

  /** The same for `file:line:column`. */
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
      if (turn === this.turn) this.setState({ walkProblem: error.message, isWalking: false });
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
    return this.go(this.state.subject, path.slice(0, Math.min(Math.max(steps, 0), path.length)));
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
    const { file } = this.props.start;
    return packed({ file, text, definitions, settings: settings.chosen, subject, path, tab, game, found });
  }

  async showLink() {
    const link = `${location.origin}${location.pathname}#${await this.link()}`;
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
      this.setState({ note: error.message });
    }
  }

  /** Takes the script of a link, with its values and settings. The reader's own draft stays what it is. */
  async readLinked({ text, definitions = [], settings }, isOwn) {
    const read = { definitions, settings: new Settings(settings), ...(isOwn ? {} : { text, isDraft: text !== this.state.saved }) };
    if (!isOwn) {
      this.isLink = true;
      this.editor.replace(text);
    }
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
    } else if (event.key === "ArrowLeft" && moves) this.goTo(walk.steps.length - 1);
    else if (event.key === "ArrowRight" && moves) this.goTo(walk.steps.length + 1);
    else if (event.key === "Home" && moves) this.goTo(0);
    else if (event.key === "r") this.randomStep();
    else return;
    event.preventDefault();
  }

  tabKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const { tabs } = this;
    const index = tabs.findIndex(([name]) => name === this.state.tab);
    const [name] = tabs[(index + step + tabs.length) % tabs.length];
    this.setState({ tab: name }, () => document.getElementById(`tab-${name}`).focus());
    event.preventDefault();
  }

  // ---- What is seen

  render({ start }, state) {
    const { tabs } = this;
    // What was a lab may be none any more.
    const [tab, , View] = tabs.find(([name]) => name === state.tab) ?? tabs[0];
    const isChanged = state.text !== state.saved;
    const isAtWork = (name) => name !== tab && this.busy[name] > 0;
    return html`
      <div class=${`page ${state.showsScript ? "shows-script" : ""} ${state.connection === "there" ? "" : "is-alone"}`}>
        <header class="top">
          <h1><img src="icon.svg" alt="" /> cspsym</h1>
          <code>${start.file}</code>${isChanged && html`<span class="soft">changed, not saved</span>`}
          <button onClick=${() => this.save()} disabled=${!isChanged}>${start.program ? "Download" : "Save"}</button>
          <span class="grow" aria-live="polite">${state.note && html`${state.note} <button class="link" onClick=${() => this.setState({ note: null })}>ok</button>`}</span>
          <button class="narrow-only" onClick=${() => this.setState({ showsScript: !state.showsScript })}>${state.showsScript ? "Views" : "Script"}</button>
          <button onClick=${() => this.showLink()}>Link</button>
          <button onClick=${() => this.setState({ dialog: { kind: "open" } })}>Open a link</button>
          <button onClick=${toggleTheme} aria-label="Light or dark">◐</button>
          <button onClick=${() => this.setState({ dialog: { kind: "help" } })} aria-label="Help">?</button>
          <${Gone} state=${state.connection} start=${start} />
        </header>
        <section class="script" aria-label="Script">
          <${Constants} app=${this} />
          <div class="editor" ref=${(place) => (this.place = place)}></div>
          <${Messages} problems=${state.problems} show=${(place) => this.show(place)} />
        </section>
        <main class="views">
          <div class="tabs" role="tablist" aria-label="Views" onKeyDown=${(event) => this.tabKey(event)}>
            ${tabs.map(([name, label]) => html`
              <button role="tab" id=${`tab-${name}`} aria-controls="view" aria-selected=${state.tab === name ? "true" : "false"}
                tabindex=${state.tab === name ? 0 : -1} aria-label=${isAtWork(name) ? `${label}, at work` : null} onClick=${() => this.setState({ tab: name })}>${label}${isAtWork(name) && html`<span class="busy"></span>`}</button>`)}
          </div>
          <${Stage} name=${tab} View=${View} app=${this} />
        </main>
        ${state.dialog && html`<${Dialog} page=${this} dialog=${state.dialog} />`}
      </div>`;
  }
}

function Messages({ problems, show }) {
  if (problems.length === 0) return null;
  return html`
    <section class="messages" aria-label="Messages" tabindex="0">
      <ul>${problems.map((problem) => html`
        <li><strong class=${`severity-${problem.severity}`}>${problem.severity}[${problem.code}]</strong> ${problem.message}
          ${problem.places[0] && html` <button class="link" onClick=${() => show(problem.places[0])}>line ${problem.places[0].line}</button>`}
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
opening()
  .then((start) => {
    place.replaceChildren();
    render(html`<${Page} start=${start} draft=${draftOf(start.identity)} />`, place);
    document.title = `${start.file} – cspsym`;
  })
  .catch((error) => {
    place.textContent = `The page cannot be opened: ${error.message}`;
  });
