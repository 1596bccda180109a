// The settings of the user, as the language server takes them.
import { workspace } from "vscode";

/** The section of all settings, and the prefix of all commands. */
export const SECTION = "cspsym";

/** The options of `initialize`; `null` lifts a limit. `cspsym help editors` explains them. */
export interface ServerOptions {
  readonly timeout: number | null;
  readonly maxStates: number | null;
  readonly maxLeafStates: number;
  readonly termination: "event" | "signal";
  readonly includeRoot: string | null;
}

/** Where pages of the explorer are shown. */
export type PagePlace = "panel" | "browser";

/** The options that the server is started with. */
export function serverOptions(): ServerOptions {
  const settings = workspace.getConfiguration(SECTION);
  const includeRoot = settings.get<string | null>("includeRoot", null);
  return {
    timeout: settings.get<number | null>("timeout", 60),
    maxStates: settings.get<number | null>("maxStates", 10_000_000),
    maxLeafStates: settings.get<number>("maxLeafStates", 1_000_000),
    termination: settings.get<"event" | "signal">("termination", "event"),
    includeRoot: includeRoot ? expanded(includeRoot) : null,
  };
}

/** The program that the user has chosen; empty if it is to be found. */
export function chosenProgram(): string {
  return expanded(workspace.getConfiguration(SECTION).get<string>("path", "").trim());
}

export function pagePlace(): PagePlace {
  return workspace.getConfiguration(SECTION).get<PagePlace>("explorer.opens", "panel");
}

/** The settings that the server learns only when it starts. */
export const AT_START = ["path", "timeout", "maxStates", "maxLeafStates", "termination", "includeRoot"].map(
  (name) => `${SECTION}.${name}`,
);

/** A path with what stands for folders put in. */
function expanded(path: string): string {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const home = process.env.HOME ?? process.env.USERPROFILE ?? "";
  return path.replaceAll("${workspaceFolder}", folder).replace(/^~(?=[\\/]|$)/, home);
}
