// The dialogs of the page: keys, links, and a file that somebody else has changed.
import { htm, h } from "./vendor.js";
import { Copy } from "./copying.js";
import { Difference } from "./difference.js";

const html = htm.bind(h);

/** The `dialog` that is open; `kind` says which, and `page` does what is chosen. */
export function Dialog({ page, dialog }) {
  const close = () => page.setState({ dialog: null });
  const { title, Content, ends = "Close" } = KINDS[dialog.kind];
  return html`
    <dialog ref=${(element) => element && !element.open && element.showModal()} onClose=${close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">${title}</h2>
      <${Content} page=${page} dialog=${dialog} close=${close} />
      ${ends && html`<p class="ends"><button onClick=${close}>${ends}</button></p>`}
    </dialog>`;
}

const KINDS = {
  help: { title: "Keys", Content: Keys },
  link: { title: "A link to what you see", Content: Link },
  open: { title: "Open a link", Content: OpenLink, ends: "Cancel" },
  conflict: { title: "The file was changed by somebody else", Content: Conflict, ends: null },
};

function Keys() {
  return html`
    <dl class="keys">
      <dt>1 … 9</dt><dd>take the choice with this number, in a walk or a game</dd>
      <dt>← →</dt><dd>one step back, and forward again</dd>
      <dt>Home</dt><dd>to the start of the walk</dd>
      <dt>r</dt><dd>a random step</dd>
      <dt>?</dt><dd>this help</dd>
    </dl>
    <p>They work outside of the editor and of fields. In the editor there are</p>
    <dl class="keys">
      <dt>Ctrl S</dt><dd>save the file that is shown</dd>
      <dt>Ctrl Space</dt><dd>the names that can stand here</dd>
      <dt>Tab</dt><dd>take the first of them; without them, leave the editor</dd>
      <dt>F12</dt><dd>go to the definition of a name; Ctrl and a click do the same</dd>
      <dt>Shift F12</dt><dd>list the places of a name</dd>
      <dt>F2</dt><dd>rename it, in all files</dd>
      <dt>Ctrl F</dt><dd>search in the file</dd>
    </dl>
    <p>The same walks are in the terminal: <code>cspsym step FILE PROCESS</code>.</p>`;
}

function Link({ page, dialog }) {
  return html`
    <p>It holds the script and the files that it includes as they are now, the values and options, the process, and the steps. What follows <code>#</code> stays in the browser.${" "}${page.props.start.program ? "Somebody else opens it in a browser." : html`Somebody else opens it with “Open a link” on the page of their own <code>cspsym explore</code>.`}</p>
    <${Copy} name="Link" text=${dialog.link} />`;
}

function OpenLink({ page, dialog: { problem } }) {
  const submit = (event) => {
    event.preventDefault();
    page.openLink(new FormData(event.target).get("link"));
  };
  return html`
    <form class="row" onSubmit=${submit}>
      <input name="link" class="code grow" aria-label="Link" required autofocus />
      <button class="primary" type="submit">Open</button>
    </form>
    ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}`;
}

/** Nothing is lost by what is primary, and the difference can be seen before anything is. */
function Conflict({ page: { files }, dialog, close }) {
  const { file, theirs } = dialog;
  return html`
    <p><code>${file}</code> is not what you have read. Nothing was saved: your text is in the editor, as it was. This is the difference:</p>
    <${Difference} before=${theirs} text=${files.of(file).text} name="The difference" />
    <p class="soft"><del>Red</del> is in the file alone, <ins>green</ins> in your text alone.</p>
    <div class="row ends">
      <button onClick=${() => files.settle(dialog, true)}>Take theirs, and lose mine</button>
      <button onClick=${() => files.settle(dialog, false)}>Save mine over it</button>
      <button class="primary" onClick=${close} autofocus>Keep editing</button>
    </div>`;
}
