// The scripts among which readers of an exported page choose.
import { htm, h } from "./vendor.js";

const html = htm.bind(h);

/** A list of the scripts, if the page has several. */
export function Scripts({ start: { scripts, script } }) {
  if (scripts.length === 0) return null;
  const choose = ({ target }) => {
    const { value } = target;
    // Whoever stays, because of what is not saved, sees the script that is there.
    target.value = script;
    location.assign(`?${new URLSearchParams({ script: value })}`);
  };
  return html`<select aria-label="Other scripts" onChange=${choose}>${scripts.map((name) => html`<option value=${name} selected=${name === script}>${name}</option>`)}</select>`;
}
