// Small changes of the script, and the symmetries that each of them breaks.
import { htm, h, useState } from "./vendor.js";
import { Progress, Stop, useRequest } from "./asking.js";
import { brief } from "./names.js";

const html = htm.bind(h);

const KINDS = {
  fixed_choice: "Fix an internal choice",
  ordered_choice: "Choose in an order",
  guarded_member: "Guard one member away",
  other_start: "Start one member differently",
};

/** How the symmetries of the check of `assertion`, a number, can be broken. */
export function Breaking({ app, assertion }) {
  const [isFixed, setFixed] = useState(false);
  const request = useRequest(app);
  const { outcome } = request;
  const look = (parameters) => request.run((signal) => app.ask("symmetry_diff", { assertion, fix_initial: isFixed, ...parameters }, signal));
  const { files } = app;
  const ownEdit = async () => {
    await files.loadAll();
    await look({ files: files.savedTexts, files_after: files.texts });
  };
  return html`
    <section class="card" aria-label="How would I break this symmetry?">
      <h2>How would I break this symmetry?</h2>
      <p class="soft">Small changes of the script, each looked at by itself: which symmetries are left, and what breaks the others.</p>
      <div class="row">
        <button onClick=${() => look({})}>Try small changes</button>
        <button onClick=${ownEdit} disabled=${files.changed.length === 0} title="Needs a change that is not saved yet">Compare my edit with what is saved</button>
        <label class="row"><input type="checkbox" checked=${isFixed} onChange=${(e) => setFixed(e.target.checked)} /> the start must stay as it is</label>
        <${Stop} request=${request} />
      </div>
      <${Progress} app=${app} request=${request} busy="looking for symmetries of each changed script…" />
      ${outcome?.result && html`<${Changes} app=${app} found=${outcome.result} more=${(mutation) => look({ mutation })} />`}
    </section>`;
}

/** `text` with what stands between backticks as code. */
const withCode = (text) => text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Lines without the white space that all of them begin with. */
const unindented = (text) => {
  const lines = text.split("\n");
  const margin = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join("\n");
};

const named = ({ order, structure }) => (order === "1" ? "none but the one that moves nothing" : `${brief(order)} (${structure})`);

function Changes({ app, found, more }) {
  return html`
    <p>The script as it is: <strong>${named(found.before)}</strong>${found.before.generators.length > 0 && html`, made from ${found.before.generators.map((name) => html`<code class="chip">${name}</code> `)}`}
      ${found.start_fixed && html`<span class="soft">, of those that leave the start as it is</span>`}</p>
    ${found.changes.length === 0 && html`<p class="notice">There is nothing in this process that such a change would fit.</p>`}
    <div class="changes">${found.changes.map((change) => html`<${Change} app=${app} change=${change} before=${found.before} more=${more} />`)}</div>`;
}

function Change({ app, change, before, more }) {
  const isBroken = BigInt(change.after.order) < BigInt(before.order);
  const title = KINDS[change.mutation] ?? "Your edit";
  const use = async () => {
    for (const [file, text] of Object.entries(change.files_after)) {
      if (!(await app.files.show(file))) return;
      app.files.put(text, file);
    }
    app.setState({ showsScript: true, note: "The changed script is in the editor. Nothing is saved before you save it." });
  };
  return html`
    <article class=${`change ${isBroken ? "broken" : "kept"}`}>
      <h3>${title}</h3>
      <p>${withCode(sentence(change.what))}</p>
      <p class="orders"><span class="number">${brief(before.order)}</span> <span aria-hidden="true">→</span><span class="hidden">symmetries become</span> <span class="number">${brief(change.after.order)}</span>${" "}
        <span class="soft">${change.after.order === before.order ? "as many as before" : change.after.structure}</span></p>
      ${change.edits.map((edit) => html`<${Edit} edit=${edit} />`)}
      ${change.lost.length > 0 && html`
        <h4>Lost</h4>
        <ul class="lost">${change.lost.map((lost) => html`
          <li><code class="chip never">${lost.name}</code> ${withCode(lost.reason)}${lost.place && html` <button class="link" onClick=${() => app.show(lost.place)}>line ${lost.place.line}</button>`}</li>`)}</ul>`}
      ${change.undecided.length > 0 && html`<p class="soft">Not asked by name: ${change.undecided.join(", ")}</p>`}
      ${change.after.generators.length > 0 && html`<p class="soft">Left: ${change.after.generators.map((name) => html`<code class="chip">${name}</code> `)}</p>`}
      ${change.mutation && html`<div class="row">
        <button onClick=${use}>Put it into the editor</button>
        <button onClick=${() => more(change.mutation)}>All changes of this kind</button>
      </div>`}
    </article>`;
}

/** The lines of an edit, as they were and as they are then. */
function Edit({ edit }) {
  return html`
    <figure class="edit">
      <figcaption class="soft">${edit.file}, line ${edit.line}</figcaption>
      ${edit.before && html`<pre class="gone"><del>${unindented(edit.before)}</del></pre>`}
      ${edit.after && html`<pre class="new"><ins>${unindented(edit.after)}</ins></pre>`}
    </figure>`;
}
