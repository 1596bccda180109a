// A row of tabs, through which arrows go.
import { htm, h } from "./vendor.js";

const html = htm.bind(h);

/** `tabs` are a name, what stands on the tab, and perhaps what is said of it; `panel` is the id of what they show. */
export function TabRow({ label, tabs, chosen, choose, panel, kind = "tab" }) {
  const go = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const index = tabs.findIndex(([name]) => name === chosen);
    const next = (index + step + tabs.length) % tabs.length;
    event.currentTarget.children[next].focus();
    choose(tabs[next][0]);
    event.preventDefault();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} onKeyDown=${go}>
      ${tabs.map(([name, content, said]) => html`
        <button role="tab" id=${`${kind}-${encodeURIComponent(name)}`} aria-controls=${panel} aria-selected=${name === chosen ? "true" : "false"}
          tabindex=${name === chosen ? 0 : -1} aria-label=${said} onClick=${() => choose(name)}>${content}</button>`)}
    </div>`;
}
