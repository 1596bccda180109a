// What a view that shows nothing yet can be begun with, by one click.
import { htm, h, useState } from "./vendor.js";

const html = htm.bind(h);

/** With more offers there is a field to filter them; so many are shown at once. */
const FEW = 12;
const MOST = 60;

/** Offers each of `all` as a button, under a `title`; `choose` gets the one that was chosen, `name` names one. `none` is said if there are none. */
export function Offers({ title, all, choose, name = (one) => one, none }) {
  const [wanted, setWanted] = useState("");
  if (all.length === 0) return none ? html`<p class="soft">${none}</p>` : null;
  const fits = all.filter((one) => name(one).toLowerCase().includes(wanted.trim().toLowerCase()));
  return html`
    <section class="card spaced" aria-label=${title}>
      <h2>${title}</h2>
      ${all.length > FEW && html`<input type="search" class="filter code" aria-label="Filter" placeholder=${`filter ${all.length}`} value=${wanted} autocomplete="off" onInput=${(e) => setWanted(e.target.value)} />`}
      <ul class="begin">${fits.slice(0, MOST).map((one) => html`<li key=${name(one)}><button class="code" onClick=${() => choose(one)}>${name(one)}</button></li>`)}</ul>
      ${fits.length === 0 && html`<p class="soft">None of them fits.</p>`}
      ${fits.length > MOST && html`<p class="soft">and ${fits.length - MOST} more: filter them</p>`}
    </section>`;
}

/** Offers the processes of the script. */
export function ProcessOffers({ app, title, choose }) {
  return html`<${Offers} title=${title} all=${app.state.processes} choose=${choose} none="This script has no process yet that stands by itself, without arguments." />`;
}
