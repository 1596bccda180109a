// A button that copies a text, and the text itself where that is to be seen, or cannot be copied.
import { htm, h, useEffect, useRef, useState } from "./vendor.js";

const html = htm.bind(h);

/** Copies `text`; `label` is on the button. With a `name` the text is seen in a field of this name. */
export function Copy({ text, name, label = "Copy" }) {
  const [outcome, setOutcome] = useState(null);
  const field = useRef(null);
  useEffect(() => setOutcome(null), [text]);
  // Where the browser does not let the page copy, a key does it.
  useEffect(() => {
    if (outcome === "selected") field.current.select();
  }, [outcome]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setOutcome("copied"), () => setOutcome("selected"));
  return html`
    <span class="row copying">
      ${(name || outcome === "selected") && html`<input readonly class="code grow" ref=${field} aria-label=${name ?? "Text to copy"} value=${text} onFocus=${(e) => e.target.select()} />`}
      <button type="button" onClick=${copy}>${label}</button>
      <span class="soft" role="status">${{ copied: "Copied.", selected: "The browser does not let the page copy. The text is selected: press Ctrl C." }[outcome]}</span>
    </span>`;
}
