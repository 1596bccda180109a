// The manual of the program, in the preview of Markdown.
import { type Disposable, Uri, commands, window, workspace } from "vscode";
import { output } from "./program";
import type { Server } from "./server";

const SCHEME = "cspsym-manual";

/** Lets documents be chapters of the manual. */
export function manual(server: Server): Disposable {
  return workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async ({ path }) => (await help(server, [path.slice(1).replace(/\.md$/, "")])) ?? "",
  });
}

/** Asks for a chapter and shows it. */
export async function showManual(server: Server): Promise<void> {
  const overview = await help(server, []);
  if (overview === undefined) return void window.showErrorMessage("Without the program cspsym there is no manual.");
  const chosen = await window.showQuickPick(topics(overview), { placeHolder: "A chapter of the manual", matchOnDescription: true });
  if (!chosen) return;
  await commands.executeCommand("markdown.showPreview", Uri.from({ scheme: SCHEME, path: `/${chosen.label}.md` }));
}

/** The chapters that the overview of the manual lists. */
export function topics(overview: string): { label: string; description: string }[] {
  const [, list = ""] = overview.split(/^Topics of the manual.*$/m);
  const [lines = ""] = list.trimStart().split(/\n\s*\n/);
  return [...lines.matchAll(/^\s*(\S+) +(.+)$/gm)].map(([, label = "", description = ""]) => ({ label, description }));
}

async function help(server: Server, args: readonly string[]): Promise<string | undefined> {
  if (!("program" in server.found)) return undefined;
  const said = await output(server.found.program, ["help", ...args]);
  return said.failed ? undefined : said.text;
}
