// An input that keeps what is being typed.
import { htm, h, useState } from "./vendor.js";

const html = htm.bind(h);

/**
 * An input with this `value`. `onDone` is given the text once it is complete. Until then the text
 * is the input's own: an answer that arrives meanwhile draws the page anew, and must not put the
 * value before into it.
 */
export function Field({ value, onDone, onBlur, ...rest }) {
  const [typed, setTyped] = useState(null);
  const done = ({ target }) => {
    setTyped(null);
    onDone(target.value);
  };
  const left = () => {
    setTyped(null);
    onBlur?.();
  };
  return html`<input ...${rest} value=${typed ?? value} onInput=${({ target }) => setTyped(target.value)} onChange=${done} onBlur=${left} />`;
}
