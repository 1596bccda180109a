// The assertions of all scripts, in the test explorer.
import { type TestItem, TestRunProfileKind, type TextDocument, tests, workspace } from "vscode";
import { Catalogue, GLOB } from "./catalogue";
import { Runner } from "./runner";
import { LANGUAGE, type Server } from "./server";

/** How long nobody must type before assertions are read again. */
const PAUSE = 300;

export class Assertions {
  private readonly controller = tests.createTestController("cspsym", "CSPm assertions");
  private readonly catalogue: Catalogue;
  readonly runner: Runner;
  private readonly disposables: { dispose(): unknown }[] = [this.controller];
  private pause: NodeJS.Timeout | undefined;
  /** Scripts are looked for in the folders once the test explorer asks. */
  private isSearched = false;

  constructor(private readonly server: Server) {
    this.catalogue = new Catalogue(this.controller, server);
    this.runner = new Runner(this.controller, this.catalogue, server);
    this.controller.resolveHandler = (item) => (item ? this.catalogue.resolve(item) : this.search());
    this.controller.refreshHandler = () => this.search();
    this.controller.createRunProfile("Check", TestRunProfileKind.Run, async (request, token) => void (await this.runner.run(request, token)), true);
    this.listen();
  }

  /** The test of an assertion, if it is known. */
  item(script: string, index: number): TestItem | undefined {
    return this.catalogue.find(script, index);
  }

  /** All tests there are, for a check of everything in the folders. */
  async all(): Promise<TestItem[]> {
    if (!this.isSearched) await this.search();
    return this.catalogue.files();
  }

  /** The test of a script with its assertions. */
  async file(document: TextDocument): Promise<TestItem> {
    return this.catalogue.read(document);
  }

  dispose(): void {
    clearTimeout(this.pause);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async search(): Promise<void> {
    this.isSearched = true;
    try {
      for (const uri of await workspace.findFiles(GLOB)) this.catalogue.add(uri);
    } catch (error) {
      // A folder that cannot be searched must not keep open scripts from being read.
      this.server.warn(`scripts cannot be looked for: ${String(error)}`);
    }
    await this.readOpen();
  }

  private listen(): void {
    const watcher = workspace.createFileSystemWatcher(GLOB);
    this.disposables.push(
      watcher,
      watcher.onDidCreate((uri) => this.isSearched && this.catalogue.add(uri)),
      watcher.onDidDelete((uri) => this.catalogue.remove(uri)),
      workspace.onDidOpenTextDocument((document) => document.languageId === LANGUAGE && this.readSoon()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId !== LANGUAGE || contentChanges.length === 0) return;
        this.catalogue.outdate(document.uri);
        this.readSoon();
      }),
      this.server.onDidChange(() => this.server.health === "running" && this.readSoon()),
    );
  }

  private readSoon(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.readOpen(), PAUSE);
  }

  /** Reads the assertions of all open scripts: one may include the other. */
  private async readOpen(): Promise<void> {
    const open = workspace.textDocuments.filter((document) => document.languageId === LANGUAGE && !document.isClosed);
    const known = open.filter(({ uri }) => uri.scheme === "untitled" || uri.scheme === "file");
    await Promise.all(known.map((document) => this.catalogue.read(document)));
  }
}
