// The script and the files that it includes. Each has a tab, and is saved by itself.
import { htm, h } from "./vendor.js";
import { readFile, save } from "./api.js";
import { TabRow } from "./tabs.js";
import { download } from "./exporting.js";
import { draftsOf, keepDrafts } from "./keeping.js";

const html = htm.bind(h);

/** The digest of no file. */
const UNREAD = "";

/** True if `name` leads to no hidden file, and to nothing outside of a folder. */
const isPlain = (name) => !name.includes("\\") && name.split("/").every((part) => part && !part.startsWith("."));

/** A file of which nothing is known yet. `digest` is that of what was read or saved last. */
const unread = (file) => ({ file, text: null, saved: null, digest: null, isUnlocked: false });

/** The state of the page about its files before it has asked which the script includes. */
export function opened(start) {
  const drafts = draftsOf(start);
  const { [start.file]: own, ...others } = drafts;
  return {
    text: own?.text ?? start.text, saved: start.digest === null && !start.program ? null : start.text, digest: own && "digest" in own ? own.digest : start.digest,
    includes: Object.entries(others).map(([file, draft]) => ({ ...unread(file), ...draft, saved: start.files[file] ?? null, isUnlocked: true })),
    shown: start.file, uses: null,
  };
}

/** The files of `app`. `text`, `saved` and `digest` of its state are those of the script. */
export class WorkFiles {
  constructor(app, start) {
    this.app = app;
    this.start = start;
    /** The folder of the script, with the slash. */
    this.folder = start.file.slice(0, start.file.lastIndexOf("/") + 1);
    /** Whether the texts are those of a link: the reader's own drafts stay what they are. */
    this.isLink = false;
  }

  get all() {
    const { text, saved, digest, includes } = this.app.state;
    return [{ file: this.start.file, text, saved, digest, isUnlocked: true }, ...includes];
  }

  of(file) {
    return this.all.find((one) => one.file === file);
  }

  get changed() {
    return this.all.filter(isChanged);
  }

  /** The texts that a request needs: those that the program cannot read from the disk. */
  get texts() {
    return { ...this.start.files, ...Object.fromEntries(this.changed.map(({ file, text }) => [file, text])), [this.start.file]: this.app.state.text };
  }

  /** The texts that a request about the files on the disk needs, without changes that are not saved. */
  get savedTexts() {
    return { ...this.texts, ...Object.fromEntries(this.changed.map(({ file, saved }) => [file, saved ?? ""])) };
  }

  /** Whether a lab gives this file: changes would count here, and not when the lab is checked. */
  isGiven(file) {
    return this.named(file) === this.app.state.lab?.given.file;
  }

  /** What the editor is to those who cannot see it, if there are tabs. */
  get panel() {
    const { includes, shown } = this.app.state;
    return includes.length > 0 ? { role: "tabpanel", "aria-label": this.named(shown) } : {};
  }

  set(file, news) {
    if (file === this.start.file) return this.app.setState(news);
    this.app.setState(({ includes }) => ({ includes: includes.map((one) => (one.file === file ? { ...one, ...news } : one)) }));
  }

  /** The name of `file` as seen from the script. */
  named(file) {
    return file.startsWith(this.folder) ? file.slice(this.folder.length) : file;
  }

  /** The script has read the files `names`. One that it has read before and that has changes stays. */
  listed(names) {
    this.app.setState(({ includes, shown }) => {
      const known = new Map(includes.map((one) => [one.file, one]));
      const read = names.filter((name) => name !== this.start.file);
      const left = includes.filter((one) => !read.includes(one.file) && isChanged(one));
      const now = [...read.map((name) => known.get(name) ?? unread(name)), ...left];
      return { includes: now, shown: now.some(({ file }) => file === shown) ? shown : this.start.file };
    }, () => this.display());
  }

  /** Reads a file again that has no changes here. */
  async load(file) {
    const { text, saved } = this.of(file);
    if (file === this.start.file || (text !== saved && saved !== null)) return;
    const exported = this.start.files[file];
    const found = exported === undefined && !this.start.program ? await readFile(file) : { text: exported ?? "", digest: null };
    const now = this.of(file);
    // A draft keeps the digest of what it was made from, if that is known.
    if (now && isChanged(now)) this.set(file, { saved: found.text, digest: now.digest ?? found.digest });
    else if (now) {
      this.prepared({ ...now, text: found.text });
      this.set(file, { ...found, saved: found.text });
      this.app.editor.replace(file, found.text, true);
    }
  }

  loadAll() {
    return Promise.all(this.app.state.includes.map(({ file }) => this.load(file)));
  }

  /** Shows a file in the editor. Returns whether that is possible. */
  async show(file) {
    try {
      if (!this.of(file)) throw new Error(`${file} is no file of this script.`);
      await this.load(file);
    } catch (error) {
      this.app.setState({ note: error.message });
      return false;
    }
    await this.app.settled({ shown: file });
    this.display();
    return true;
  }

  /** The editor, which has the text of this file then. */
  prepared({ file, text, isUnlocked }) {
    this.app.editor.prepare(file, text, !isUnlocked);
    return this.app.editor;
  }

  display() {
    const shown = this.of(this.app.state.shown);
    if (shown.text !== null) this.prepared(shown).open(shown.file);
  }

  /** Lets an included file be edited, or no longer: then its changes are lost. */
  unlock(file, isUnlocked) {
    const { text, saved } = this.of(file);
    // A file that is gone has nothing to go back to.
    if (!isUnlocked && saved === null) this.app.edited(file, null);
    else if (!isUnlocked && text !== saved) this.put(saved, file);
    this.set(file, { isUnlocked });
    this.app.editor.lock(file, !isUnlocked);
  }

  /** Puts `text` into a file; into the script, if none is named. It can be edited then. */
  put(text, file = this.start.file) {
    this.unlocked(file).replace(file, text);
  }

  /** Makes changes of a file, as the editor takes them. It can be edited then. */
  change(changes, file) {
    this.unlocked(file).change(file, changes);
  }

  /** The editor, in which this file can be edited then. */
  unlocked(file) {
    const one = this.of(file);
    const editor = this.prepared(one);
    if (!one.isUnlocked) this.unlock(file, true);
    return editor;
  }

  /** What a link has of included files: those that are read, without what a lab gives. */
  get toLink() {
    const read = this.app.state.includes.filter(({ file, text }) => text !== null && !this.isGiven(file));
    return Object.fromEntries(read.map(({ file, text }) => [this.named(file), text]));
  }

  /** Takes the texts of a link: of the script, and of `others` that were changed there. */
  async linked(text, others = {}) {
    this.isLink = true;
    // A link is written by a stranger: it brings no text for a file that the script does not include, and could not.
    const named = Object.entries(others).map(([name, text]) => [name.startsWith("/") ? name : this.folder + name, text, isPlain(name)]);
    const linked = named.filter(([file, , isHere]) => isHere || this.of(file)).map(([file, text]) => [file, text]);
    const texts = new Map([...this.app.state.includes.map(({ file, saved }) => [file, saved]), ...linked]);
    // What is saved is read anew, to know what the link changes.
    const includes = [...texts].map(([file, text]) => ({ ...(this.of(file) ?? unread(file)), text, saved: null, isUnlocked: linked.some(([name]) => name === file) }));
    for (const one of includes.filter(({ text }) => text !== null)) this.prepared(one).replace(one.file, one.text, true);
    this.put(text);
    await this.app.settled({ includes });
    // The reader may lack a file of the link.
    await this.loadAll().catch(() => {});
    // Before a file is written over that is another here, the reader is shown the difference.
    for (const [file] of linked) {
      if (isChanged(this.of(file))) this.set(file, { digest: UNREAD });
      else this.unlock(file, false);
    }
  }

  async save(file = this.app.state.shown) {
    const { app, start } = this;
    const { text, digest } = this.of(file);
    if (start.program) {
      download(this.named(file).split("/").at(-1), text);
      this.set(file, { saved: text });
      app.setState({ note: "Downloaded. This browser keeps your text as well." }, () => this.settledLink());
      return true;
    }
    try {
      const answer = await save(file, text, digest);
      if (answer.saved || answer.text === text) {
        this.set(file, { saved: text, digest: answer.digest });
        app.setState({ note: "Saved." }, () => this.settledLink());
      } else app.setState({ dialog: { kind: "conflict", file, theirs: answer.text, digest: answer.digest } });
      return answer.saved || answer.text === text;
    } catch (error) {
      app.setState({ note: `Not saved: ${error.message}` });
      return false;
    }
  }

  /** After a file was saved. Once nothing of a link is left to save, the texts are the reader's own. */
  settledLink() {
    if (this.changed.length === 0) this.isLink = false;
    this.keep();
  }

  /** Saves what has changed. The script comes first: what it includes newly is saved only then. */
  async saveAll() {
    for (const { file } of this.changed) if (!(await this.save(file))) return;
  }

  /** Somebody else has changed a file: what is there is taken, or written over. */
  settle({ file, theirs, digest }, takesTheirs) {
    this.set(file, takesTheirs ? { saved: theirs, digest } : { digest });
    const note = takesTheirs ? "The text of the file is in the editor. Ctrl Z there brings yours back." : null;
    this.app.setState({ dialog: null, note }, () => (takesTheirs ? this.put(theirs, file) : this.save(file)));
  }

  /** Keeps in the browser what has changed. What was downloaded is nowhere else either. */
  keep() {
    // Where the program has another address now, its page has the drafts.
    if (this.isLink || this.app.state.connection === "moved") return;
    const { start } = this;
    const base = ({ file, saved }) => (!start.program ? saved : file === start.file ? start.text : start.files[file]);
    const changed = this.all.filter((one) => one.text !== null && one.text !== base(one));
    keepDrafts(start.identity, Object.fromEntries(changed.map(({ file, text, digest }) => [file, { text, digest }])));
  }
}

const isChanged = ({ text, saved }) => text !== null && text !== saved;

/** The file that is shown, and the buttons that save. */
export function FileHead({ app }) {
  const { files } = app;
  const { start } = app.props;
  const shown = files.of(app.state.shown);
  const { changed } = files;
  const state = !isChanged(shown) ? null : shown.saved === null && shown.file === start.file ? "new, not saved" : "changed, not saved";
  return html`
    <code>${shown.file}</code>${state && html`<span class="soft">${state}</span>`}
    <button onClick=${() => files.save()} disabled=${!state}>${start.program ? "Download" : "Save"}</button>
    ${changed.length > 1 && html`<button onClick=${() => files.saveAll()}>${start.program ? "Download all" : "Save all"} ${changed.length}</button>`}`;
}

/** Tabs for the script and what it includes, if it includes something. */
export function FileTabs({ app }) {
  const { files } = app;
  const { includes, shown } = app.state;
  if (includes.length === 0) return null;
  const tabs = files.all.map((one) => [one.file, html`${files.named(one.file)}${isChanged(one) && html`<span aria-hidden="true"> ●</span><span class="hidden">, changed</span>`}`]);
  const { isUnlocked, text, saved } = files.of(shown);
  const name = files.named(shown);
  return html`
    <${TabRow} label="Files" tabs=${tabs} chosen=${shown} choose=${(file) => files.show(file)} panel="editor" kind="file" />
    ${shown !== app.props.start.file && html`
      <p class="file-note">${files.isGiven(shown) ? "Given by the lab, and read only." : isUnlocked
        ? html`<span class="grow">Included. What you change counts at once in this page, and for others once you ${app.props.start.program ? "download" : "save"} it.</span>
          <button onClick=${() => files.unlock(shown, false)}>${text === saved ? "Stop editing" : "Discard changes"}</button>`
        : html`<span class="grow">Included, and read only.</span> <button onClick=${() => files.unlock(shown, true)} aria-label=${`Edit ${name}`}>Edit</button>`}</p>`}`;
}

/** A button that leads to a place. It names the file if that is an included one. */
export function PlaceLink({ app, place }) {
  const isElsewhere = place.file !== app.props.start.file;
  return html`<button class="link" onClick=${() => app.show(place)}>${isElsewhere && `${app.files.named(place.file)}, `}line ${place.line}</button>`;
}

/** The places of a name that somebody has asked for. */
export function Uses({ app }) {
  const { uses } = app.state;
  if (!uses) return null;
  return html`
    <section class="messages uses" aria-label=${`Places of ${uses.name}`} tabindex="0">
      <div class="row"><strong class="grow">${uses.places.length} places of <code>${uses.name}</code></strong>
        <button onClick=${() => app.setState({ uses: null })}>Close</button></div>
      <ul>${uses.places.map(({ place, text }) => html`<li><${PlaceLink} app=${app} place=${place} /> <code>${text}</code></li>`)}</ul>
    </section>`;
}
