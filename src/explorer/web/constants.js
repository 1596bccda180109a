// Values of constants: those that replace what the script says, as `-D` does.
import { Field } from "./field.js";
import { htm, h, useState } from "./vendor.js";

const html = htm.bind(h);

/** A definition is cut to so many characters where it is only offered. */
const LONGEST = 40;

/** The constants of the script with another value than it gives them, and a way to give one. */
export function Constants({ app }) {
  const { constants, definitions } = app.state;
  const [added, setAdded] = useState(null);
  const given = definitions.map((text) => [text.slice(0, text.indexOf("=")).trim(), text.slice(text.indexOf("=") + 1).trim()]);
  const others = constants.filter(({ name }) => !given.some(([other]) => other === name));
  if (given.length === 0 && others.length === 0) return null;
  const put = (name, value) => app.define([...given.filter(([other]) => other !== name).map(([other, text]) => `${other}=${text}`), ...(value === null ? [] : [`${name}=${value}`])]);
  const change = (name, value) => {
    setAdded(null);
    if (value.trim() && value.trim() !== Object.fromEntries(given)[name]) put(name, value.trim());
  };
  const chosen = others.find(({ name }) => name === added);
  return html`
    <div class="constants row" role="group" aria-label="Values of constants">
      ${given.map(([name, value]) => html`<span class="row constant" key=${name}><label><code>${name} =</code> <${Field} class="code" size=${Math.min(value.length + 2, 24)} value=${value}
        aria-label=${`Value of ${name}`} onDone=${(text) => change(name, text)} /></label><button class="link" onClick=${() => put(name, null)} aria-label=${`Leave ${name} as the script has it`}>×</button></span>`)}
      ${chosen && html`<label><code>${chosen.name} =</code> <input class="code" size="12" aria-label=${`Value of ${chosen.name}`} placeholder=${shortened(chosen.value)}
        ref=${(field) => field?.focus()} onChange=${({ target }) => change(chosen.name, target.value)} onBlur=${() => setAdded(null)} /></label>`}
      ${others.length > 0 && !chosen && html`<select aria-label="Try another value of" value="" onChange=${({ target }) => setAdded(target.value)}>
        <option value="">${given.length > 0 ? "Another…" : "Try other values…"}</option>
        ${others.map(({ name, value }) => html`<option value=${name}>${name} = ${shortened(value)}</option>`)}</select>`}
    </div>`;
}

const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
