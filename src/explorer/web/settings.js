// The limits and options of checks: what is set, and the form in which that is done.
import { Field } from "./field.js";
import { htm, h } from "./vendor.js";
import { split } from "./words.js";

const html = htm.bind(h);

/** What can be chosen, by option of `cspsym check`: the first value is what holds if nothing is chosen. */
const CHOICES = [
  ["model", "Model of refinements", [["", "as it is written"], ["T", "traces"], ["F", "stable failures"], ["FD", "failures and divergences"], ["V", "stable revivals"], ["VD", "revivals and divergences"], ["R", "refusal testing"], ["RD", "refusal testing and divergences"]]],
  ["symmetry", "Symmetries", [["", "those that are found"], ["off", "none"]]],
  ["reduce", "Orders of steps", [["", "reduced where it pays"], ["off", "all of them"], ["po", "reduced always"]]],
  ["strategy", "Strategy", [["", "whichever is sooner"], ["terms", "terms, as they are met"], ["orbits", "terms, one of each orbit"], ["subsets", "machine beside sets of states"], ["machine", "machine"], ["dive", "dive along one order"], ["local", "a few components at a time"]]],
  ["termination", "What ✓ is", [["", "an event, as in FDR"], ["signal", "a signal, as in Roscoe's books"]]],
];

const SECONDS = 60;
const STATES = 10_000_000;
/** The page lists no larger component, as `PATIENT_LEAF_STATES` in `src/checker/options.rs`. */
const LEAF_STATES = 1_000_000;

/** What is set: nothing of it changes, `with` makes another. */
export class Settings {
  constructor(chosen = {}) {
    this.chosen = chosen;
  }

  with(change) {
    return new Settings({ ...this.chosen, ...change });
  }

  /** How many seconds an assertion, and any other answer, may take. */
  get seconds() {
    return this.chosen.seconds ?? SECONDS;
  }

  /** How many states a check may store. */
  get states() {
    return this.chosen.states ?? STATES;
  }

  /** The options as words of the command line. */
  get words() {
    const { shortest, counterexamples, more } = this.chosen;
    const chosen = CHOICES.flatMap(([name]) => (this.chosen[name] ? [`--${name}`, this.chosen[name]] : []));
    return [...chosen, ...(shortest ? ["--shortest"] : []), ...(counterexamples > 1 ? ["--counterexamples", String(counterexamples)] : []), ...split(more ?? "")];
  }

  /** The keys of a request that is decided by these settings. */
  asked() {
    return { max_states: this.states, options: this.words };
  }

  /** The call in a terminal that decides all assertions of `file` in the same way. */
  call(file, definitions) {
    const words = [file, ...definitions.flatMap((text) => ["-D", text]), "--timeout-each", this.seconds, "--max-states", this.states, "--max-leaf-states", LEAF_STATES, ...this.words];
    return `cspsym check ${words.map((word) => quoted(String(word))).join(" ")}`;
  }

  /** What is set otherwise than usual, in a few words. */
  get summary() {
    const set = CHOICES.filter(([name]) => this.chosen[name]).map(([name]) => `${name} ${this.chosen[name]}`);
    const { shortest, counterexamples, more } = this.chosen;
    if (shortest) set.push("shortest");
    if (counterexamples > 1) set.push(`${counterexamples} counterexamples`);
    if (more?.trim()) set.push(more.trim());
    return [`${this.seconds} s each`, `at most ${this.states.toLocaleString("en")} states`, ...set].join(", ");
  }
}

const quoted = (word) => (/^[\w./=,:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The form of the settings of `app`. */
export function SettingsForm({ app }) {
  const { settings, checking } = app.state;
  const set = (change) => app.choose(settings.with(change));
  const number = (name, least) => ({
    type: "number", min: least, value: settings[name] ?? settings.chosen[name] ?? least, disabled: checking !== null,
    onDone: (text) => set({ [name]: text === "" ? undefined : Math.max(least, Math.round(Number(text))) }),
  });
  return html`
    <details class="settings" id="settings" open=${app.state.showsSettings} onToggle=${({ target }) => app.setState({ showsSettings: target.open })}>
      <summary>Limits and options <span class="soft">${settings.summary}</span></summary>
      <div class="fields">
        <label>Seconds for each assertion <${Field} ...${number("seconds", 1)} /></label>
        <label>States that a check may store <${Field} ...${number("states", 1)} step="1000000" /></label>
        ${CHOICES.map(([name, label, values]) => html`<label>${label}
          <select value=${settings.chosen[name] ?? ""} disabled=${checking !== null} onChange=${({ target }) => set({ [name]: target.value })}>
            ${values.map(([value, words]) => html`<option value=${value} selected=${value === (settings.chosen[name] ?? "")}>${words}</option>`)}
          </select></label>`)}
        <label>Counterexamples of each <${Field} ...${number("counterexamples", 1)} /></label>
        <label class="check"><input type="checkbox" checked=${settings.chosen.shortest} disabled=${checking !== null} onChange=${({ target }) => set({ shortest: target.checked })} /> shortest counterexamples</label>
        <label class="wide"><span>Other options of <code>cspsym check</code></span> <${Field} class="code" value=${settings.chosen.more ?? ""} disabled=${checking !== null} placeholder="--algorithm symcheck2" onDone=${(more) => set({ more })} /></label>
      </div>
      <p class="soft">The same in a terminal: <code>${settings.call(app.script.file, app.script.definitions)}</code></p>
      <button onClick=${() => app.choose(new Settings())} disabled=${checking !== null}>As usual</button>
    </details>`;
}
