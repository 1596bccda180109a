// The extension: what begins when the first script is opened.
import { type ExtensionContext, window, workspace } from "vscode";
import { Assertions } from "./assertions";
import { palette } from "./commands";
import { debuggers } from "./debugger";
import { sayMissing } from "./install";
import { manual } from "./manual";
import { middleware } from "./middleware";
import { Pages } from "./pages";
import { Server } from "./server";
import { AT_START } from "./settings";
import { statusItem } from "./status";

/** How long settings must stay as they are before the server starts with them. */
const PAUSE = 500;

let server: Server | undefined;

/** What the extension is made of: tests look at it. */
export interface Parts {
  readonly server: Server;
  readonly assertions: Assertions;
}

export async function activate(context: ExtensionContext): Promise<Parts> {
  const log = window.createOutputChannel("cspsym", { log: true });
  const pages = new Pages(() => started);
  const started: Server = new Server(log, middleware(pages, () => assertions));
  const assertions: Assertions = new Assertions(started);
  server = started;
  let pause: NodeJS.Timeout | undefined;
  context.subscriptions.push(
    log,
    assertions,
    statusItem(started),
    manual(started),
    ...debuggers(started),
    ...palette(started, assertions, context.extensionUri, () => log.show()),
    started.onMessage(({ isError, message }) => void (isError ? window.showErrorMessage(message) : window.showInformationMessage(message))),
    started.onDidChange(() => {
      if (started.health === "missing" && "problem" in started.found) void sayMissing(started.found.problem);
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (!AT_START.some((name) => change.affectsConfiguration(name))) return;
      clearTimeout(pause);
      pause = setTimeout(() => void started.restart(), PAUSE);
    }),
  );
  await started.restart();
  return { server: started, assertions };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
