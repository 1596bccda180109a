// Which assertions there are: a test for each script, and below it one for each assertion.
import { Range, type TestController, type TestItem, type TextDocument, Uri, workspace } from "vscode";
import { CANCEL, CHECK, type Lens, type Server } from "./server";

/** The files that are scripts. */
export const GLOB = "**/*.{csp,fdr,cspm}";

/** How the server names an assertion: the script, and the number in it, from 0. */
export interface Assertion {
  readonly script: string;
  readonly index: number;
}

export class Catalogue {
  private readonly assertions = new WeakMap<TestItem, Assertion>();
  /** The tests with a verdict that is still shown. */
  private readonly decided = new Set<TestItem>();

  constructor(
    private readonly controller: TestController,
    private readonly server: Server,
  ) {}

  add(uri: Uri): TestItem {
    const id = uri.toString();
    const known = this.controller.items.get(id);
    if (known) return known;
    const item = this.controller.createTestItem(id, workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  remove(uri: Uri): void {
    this.controller.items.delete(uri.toString());
  }

  files(): TestItem[] {
    return [...this.controller.items].map(([, item]) => item);
  }

  assertion(item: TestItem): Assertion | undefined {
    return this.assertions.get(item);
  }

  find(script: string, index: number): TestItem | undefined {
    for (const file of this.files()) {
      for (const [, item] of file.children) {
        const assertion = this.assertions.get(item);
        if (assertion?.script === script && assertion.index === index) return item;
      }
    }
    return undefined;
  }

  /** Notes that a test has a verdict. */
  decide(item: TestItem): void {
    this.decided.add(item);
  }

  /** The verdicts of a script mean nothing any more. */
  outdate(uri: Uri): void {
    const file = this.controller.items.get(uri.toString());
    if (file) for (const [, item] of file.children) this.forget(item);
  }

  /** Reads the assertions of a script that may not be open yet. */
  async resolve(item: TestItem): Promise<void> {
    if (item.uri && item.canResolveChildren) await this.read(await workspace.openTextDocument(item.uri));
  }

  /** Reads the assertions of an open script. */
  async read(document: TextDocument): Promise<TestItem> {
    const file = this.add(document.uri);
    const { version } = document;
    const lenses = await this.server.lenses(document.uri);
    // What was read of an old text would stand at wrong places; a later reading is on its way.
    if (this.server.health !== "running" || document.version !== version) return file;
    const times = new Map<string, number>();
    const items = lenses.flatMap((lens) => {
      const item = this.itemOf(lens, file, document, times);
      return item ? [item] : [];
    });
    file.children.replace(items);
    return file;
  }

  private itemOf(lens: Lens, file: TestItem, document: TextDocument, times: Map<string, number>): TestItem | undefined {
    const { command, arguments: args, tooltip } = lens.command ?? {};
    const [script, index] = args ?? [];
    if ((command !== CHECK && command !== CANCEL) || typeof script !== "string" || typeof index !== "number") return undefined;
    const { start, end } = lens.range;
    const range = new Range(start.line, start.character, end.line, end.character);
    const label = labelOf(document.getText(range));
    const time = (times.get(label) ?? 0) + 1;
    times.set(label, time);
    // The text names a test, so that others may come before it and it keeps what it showed.
    const id = `${file.id}#${label}#${time}`;
    const item = file.children.get(id) ?? this.controller.createTestItem(id, label, document.uri);
    item.range = range;
    item.sortText = String(index).padStart(6, "0");
    this.assertions.set(item, { script, index });
    // A change in an included file has ended the verdict, if the lens shows none.
    if (command === CHECK && tooltip === undefined) this.forget(item);
    return item;
  }

  private forget(item: TestItem): void {
    if (this.decided.delete(item)) this.controller.invalidateTestResults(item);
  }
}

/** The text of an assertion in one line, without the word that all begin with and without comments. */
export function labelOf(text: string): string {
  const bare = text.replace(/--.*$/gm, " ").replace(/\s+/g, " ").trim();
  return bare.replace(/^assert /, "");
}
