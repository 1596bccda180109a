// A form that asks the program one thing, which can be stopped, and shows the answer.
import { htm, h, useState, useRef, useEffect } from "./vendor.js";

const html = htm.bind(h);

/** `ask(text, signal)` gets the result, `answer(result)` shows it. */
export function Asking({ app, label, action, ask, answer }) {
  const { processes, subject, toAsk } = app.state;
  const [text, setText] = useState(toAsk ?? subject?.process ?? processes.at(-1) ?? "");
  const [outcome, setOutcome] = useState(null);
  const work = useRef(null);
  useEffect(() => () => work.current?.abort(), []);
  const { version } = app.state;
  const answered = async (text) => {
    if (!text.trim()) return;
    work.current?.abort();
    const own = (work.current = new AbortController());
    setOutcome({ isBusy: true });
    try {
      const result = await ask(text.trim(), own.signal);
      if (work.current === own) setOutcome({ result, version });
    } catch (error) {
      if (work.current === own) setOutcome(own.signal.aborted ? null : { problem: error.message });
    }
  };
  // Somebody has opened the page to see the answer at once.
  useEffect(() => {
    if (!toAsk) return;
    setText(toAsk);
    app.setState({ toAsk: null });
    answered(toAsk);
  }, [toAsk]);
  const submit = (event) => {
    event.preventDefault();
    answered(text);
  };
  return html`
    <form class="row" onSubmit=${submit} style="margin: 0.5rem 0">
      <label for="asked">${label}</label>
      <input id="asked" list="asked-processes" class="code grow" value=${text} onInput=${(e) => setText(e.target.value)} />
      <datalist id="asked-processes">${processes.map((name) => html`<option value=${name} />`)}</datalist>
      <button class="primary" type="submit">${action}</button>
      ${outcome?.isBusy && html`<button type="button" onClick=${() => work.current.abort()}>Stop</button>`}
    </form>
    <div aria-live="polite">
      ${outcome?.isBusy && html`<p class="busy">working…</p>`}
      ${outcome?.problem && html`<p class="notice bad">${outcome.problem}</p>`}
    </div>
    ${outcome?.result && html`<${Outdated} app=${app} version=${outcome.version} />`}
    ${outcome?.result && answer(outcome.result)}`;
}

/** A note if the script is no longer what it was when its text had this version. */
export function Outdated({ app, version }) {
  return app.state.version !== version && html`<p class="notice maybe">This is about the script as it was before your last change.</p>`;
}
