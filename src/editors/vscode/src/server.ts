// The language server: one process of `cspsym lsp`, started, ended and asked from here.
import { randomUUID } from "node:crypto";
import { type CancellationToken, EventEmitter, type LogOutputChannel, Uri, UIKind, env, workspace } from "vscode";
import {
  CodeLensRequest,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  ShowMessageNotification,
  State,
  WorkDoneProgress,
} from "vscode-languageclient/node";
import { type Found, find } from "./program";
import type { Report } from "./report";
import { SECTION, chosenProgram, serverOptions } from "./settings";

/** The commands of the server. The client registers them itself once the server names them. */
export const CHECK = "cspsym.check";
export const CANCEL = "cspsym.cancel";
export const STEP = "cspsym.step";
export const GRAPH = "cspsym.graph";

/** The id and the name of the language. */
export const LANGUAGE = "cspm";

/** An editor of the desktop has these pages around a panel; what a browser has, is not known here. */
const FRAMES = env.uiKind === UIKind.Desktop ? ["vscode-file:", "vscode-webview:"] : [];

export type Health = "starting" | "running" | "missing" | "stopped";

/** A lens of the server: a range, and a command with its arguments. */
export interface Lens {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[]; readonly tooltip?: string };
}

interface Place {
  readonly line: number;
  readonly character: number;
}

export class Server {
  health: Health = "stopped";
  /** The program, once it was looked for. */
  found: Found = { problem: "The program cspsym was not looked for yet." };
  private client: LanguageClient | undefined;
  /** Starts and ends come one after the other. */
  private last: Promise<void> = Promise.resolve();
  private readonly changes = new EventEmitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly messages = new EventEmitter<{ isError: boolean; message: string }>();
  /** What the server says to the user, other than verdicts. */
  readonly onMessage = this.messages.event;
  /** How many checks wait for an answer. */
  private checks = 0;
  private readonly works = new EventEmitter<string | undefined>();
  /** How far the check is that goes on; nothing once there is none. */
  readonly onWork = this.works.event;

  constructor(
    private readonly log: LogOutputChannel,
    private readonly middleware: Middleware,
  ) {}

  /** Starts the program anew, with the settings of now. */
  restart(): Promise<void> {
    return this.next(async () => {
      await this.end();
      this.become("starting");
      this.found = await find(chosenProgram());
      if ("problem" in this.found) {
        this.log.warn(this.found.problem);
        return this.become("missing");
      }
      this.log.info(`${this.found.program}, version ${this.found.version}`);
      await this.begin(this.found.program);
    });
  }

  /** Notes in the output what is not as it should be. */
  warn(message: string): void {
    this.log.warn(message);
  }

  stop(): Promise<void> {
    return this.next(() => this.end());
  }

  /** True if the server lets panels of this editor frame its pages. */
  get lendsPages(): boolean {
    const experimental = this.client?.initializeResult?.capabilities.experimental as { cspsym?: { framed?: boolean } } | undefined;
    return experimental?.cspsym?.framed === true;
  }

  /** The lenses on the file `uri`, which is open; none if the server does not run. */
  async lenses(uri: Uri): Promise<readonly Lens[]> {
    if (!this.client?.isRunning()) return [];
    const textDocument = { uri: this.client.code2ProtocolConverter.asUri(uri) };
    return (await this.client.sendRequest(CodeLensRequest.type, { textDocument })) ?? [];
  }

  /** Decides an assertion. */
  async check(script: string, index: number, token: CancellationToken): Promise<Report> {
    const client = this.client;
    if (!client?.isRunning()) throw new Error("cspsym does not run");
    // With a token of ours the progress comes here, and pops up nowhere.
    const workDoneToken = randomUUID();
    const heard = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.message) this.works.fire(value.message);
    });
    this.checks += 1;
    this.works.fire("checking");
    try {
      const question = { command: CHECK, arguments: [script, index], workDoneToken };
      return (await client.sendRequest(ExecuteCommandRequest.type, question, token)) as Report;
    } finally {
      heard.dispose();
      this.checks -= 1;
      if (this.checks === 0) this.works.fire(undefined);
    }
  }

  private async begin(program: string): Promise<void> {
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: "file", language: LANGUAGE },
        { scheme: "untitled", language: LANGUAGE },
      ],
      initializationOptions: { ...serverOptions(), frameAncestors: FRAMES },
      outputChannel: this.log,
      middleware: this.middleware,
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{csp,fdr,cspm}") },
    };
    const client = new LanguageClient(SECTION, "cspsym", { command: program, args: ["lsp"] }, options);
    // Verdicts are shown where the assertions are; a message for each would be too much.
    client.onNotification(ShowMessageNotification.type, ({ type, message }) => this.say(type, message));
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) this.become(newState === State.Running ? "running" : newState === State.Starting ? "starting" : "stopped");
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(`the language server does not start: ${String(error)}`);
      this.become("stopped");
    }
  }

  private say(type: number, message: string): void {
    if (message.startsWith("assert ")) return this.log.info(message);
    this.messages.fire({ isError: type === 1, message });
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (!client) return;
    try {
      await client.dispose();
    } catch (error) {
      // A server that hangs or is gone must not keep the next from starting.
      this.log.warn(`the language server does not end: ${String(error)}`);
    }
    this.become("stopped");
  }

  private become(health: Health): void {
    this.health = health;
    this.changes.fire();
  }

  private next(work: () => Promise<void>): Promise<void> {
    this.last = this.last.then(work, work);
    return this.last;
  }
}
