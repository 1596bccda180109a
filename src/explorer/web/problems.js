// What the program says is wrong, with the places that it is about.
import { htm, h } from "./vendor.js";
import { Refusal } from "./api.js";

const html = htm.bind(h);

/** Messages, each with its place, to which a button leads if it is in a file. */
export function Problems({ app, problems, severity = "bad" }) {
  return problems.map(({ code, message, places: [place], notes, hint }) => html`
    <p class=${`notice ${severity}`}><strong>${code}</strong>: ${message}
      ${place && isInFile(place) && html` (<button class="link" onClick=${() => app.show(place)}>${app.files.named(place.file)}:${place.line}:${place.column}</button>)`}
      ${notes.map((note) => html`<span class="soft"> ${note}.</span>`)}
      ${hint && html`<span class="soft"> help: ${hint}</span>`}</p>`);
}

/** Why a request has no answer: the messages of the program, or that it cannot be asked. */
export function Failure({ app, error, severity = "bad" }) {
  if (error instanceof Refusal) return html`<${Problems} app=${app} problems=${error.problems} severity=${severity} />`;
  return html`<p class=${`notice ${severity}`}>${error.message}</p>`;
}

/** What was typed into a field of the page stands in no file. */
const isInFile = ({ file }) => !file.startsWith("<");
