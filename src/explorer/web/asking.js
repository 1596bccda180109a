// What is asked of the program for a view, one request at a time, and what is said of how that goes.
import { htm, h, useState, useRef, useEffect } from "./vendor.js";
import { ProcessOffers } from "./offers.js";
import { Failure } from "./problems.js";

const html = htm.bind(h);

/**
 * The request of a part of a view: `outcome` is what came of the last one, `run(ask)` makes one, where `ask` gets a
 * signal and gives the result, `stop()` ends it, and `forget()` leaves nothing of it.
 */
export function useRequest(app) {
  const [outcome, setOutcome] = useState(null);
  const work = useRef(null);
  useEffect(() => () => work.current?.abort(), []);
  const run = async (ask) => {
    work.current?.abort();
    const own = (work.current = new AbortController());
    const { version } = app.state;
    setOutcome({ isBusy: true });
    try {
      const result = await ask(own.signal);
      if (work.current === own) setOutcome({ result, version });
    } catch (error) {
      if (work.current === own) setOutcome(own.signal.aborted ? null : { problem: error });
    }
  };
  return { outcome, run, stop: () => work.current?.abort(), forget: () => setOutcome(null) };
}

/** The button that ends a request, while it is worked on. */
export const Stop = ({ request }) => request.outcome?.isBusy && html`<button type="button" onClick=${request.stop}>Stop</button>`;

/** How a request goes: that it is worked on, as `busy` says; that it has failed; that its result is about the script before. */
export function Progress({ app, request: { outcome }, busy = "working…", severity = "bad" }) {
  return html`
    <div aria-live="polite">
      ${outcome?.isBusy && html`<p class="busy">${busy}</p>`}
      ${outcome?.problem && html`<${Failure} app=${app} error=${outcome.problem} severity=${severity} />`}
    </div>
    ${outcome?.result && html`<${Outdated} app=${app} version=${outcome.version} />`}`;
}

/**
 * A form that asks about a process: `ask(text, signal)` gets the result, `answer(result)` shows it. What was asked is
 * asked again where another `kind` of answer is wanted.
 */
export function Asking({ app, label, action, ask, answer, kind }) {
  const { processes, subject, toAsk } = app.state;
  const [typed, setTyped] = useState(null);
  const text = typed ?? subject?.process ?? processes.at(-1) ?? "";
  const request = useRequest(app);
  const { outcome } = request;
  const [wasAsked, lastKind] = [useRef(false), useRef(kind)];
  const look = (text) => {
    setTyped(text);
    wasAsked.current = true;
    if (text.trim()) request.run((signal) => ask(text.trim(), signal));
  };
  // Somebody has opened the page to see the answer at once.
  useEffect(() => {
    if (!toAsk) return;
    app.setState({ toAsk: null });
    look(toAsk);
  }, [toAsk]);
  useEffect(() => {
    if (lastKind.current === kind) return;
    lastKind.current = kind;
    if (wasAsked.current) look(text);
  }, [kind]);
  const submit = (event) => {
    event.preventDefault();
    look(text);
  };
  return html`
    <form class="row asked" onSubmit=${submit}>
      <label for="asked">${label}</label>
      <input id="asked" list="asked-processes" class="code grow" value=${text} onInput=${(e) => setTyped(e.target.value)} />
      <datalist id="asked-processes">${processes.map((name) => html`<option value=${name} />`)}</datalist>
      <button class="primary" type="submit">${action}</button>
      <${Stop} request=${request} />
    </form>
    <${Progress} app=${app} request=${request} />
    ${!outcome && html`<${ProcessOffers} app=${app} title=${`${action} one of these`} choose=${look} />`}
    ${outcome?.result && answer(outcome.result)}`;
}

/** A note if the script is no longer what it was when its text had this version. */
export function Outdated({ app, version }) {
  return app.state.version !== version && html`<p class="notice maybe">This is about the script as it was before your last change.</p>`;
}
