// What the page says once the program that serves it has ended.
import { htm, h } from "./vendor.js";
import { Copy } from "./copying.js";

const html = htm.bind(h);

/** Says that the program is gone, and how to go on; `state` is that of the connection. */
export function Gone({ state, start }) {
  if (state === "there") return null;
  return html`
    <section class="program-gone notice bad" role="alert">
      ${state === "moved"
        ? html`<p><strong>The program was started again, and has another address now.</strong> Go on in the tab that it has opened, or open the address that it has printed.
            Your text is there. This tab can be closed.</p>`
        : html`<p><strong>The program has ended.</strong> Nothing is lost: this browser keeps your text. Start the program again, in a terminal: it opens a page that has your text and goes on where you are.</p>
            <${Copy} name="The command that starts the program again" text=${start.again} />
            <p class="soft">This page looks for the program every few seconds.</p>`}
    </section>`;
}
