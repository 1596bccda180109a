// The commands of the palette.
import { type Disposable, type QuickPickItem, TestRunRequest, type TextDocument, Uri, commands, window, workspace } from "vscode";
import type { Assertions } from "./assertions";
import { install } from "./install";
import { showManual } from "./manual";
import { count } from "./report";
import { GRAPH, LANGUAGE, type Lens, STEP, type Server } from "./server";

export function palette(server: Server, assertions: Assertions, extension: Uri, showLog: () => void): Disposable[] {
  const command = (name: string, work: () => unknown): Disposable => commands.registerCommand(`cspsym.${name}`, work);
  return [
    command("checkAll", () => checkAll(assertions)),
    command("explore", () => explore(server, STEP)),
    command("drawGraph", () => explore(server, GRAPH)),
    command("sample", () => sample(extension)),
    command("restart", () => server.restart()),
    command("manual", () => showManual(server)),
    command("install", install),
    command("showLog", showLog),
  ];
}

/** Decides all assertions of the script that is shown. */
async function checkAll(assertions: Assertions): Promise<void> {
  const document = shownScript();
  if (!document) return;
  const file = await assertions.file(document);
  if (file.children.size === 0) return void window.showInformationMessage("This script has no assertions that can be read.");
  const reports = await assertions.runner.run(new TestRunRequest([file]));
  const hold = reports.filter(({ verdict }) => verdict === "pass").length;
  const fail = reports.filter(({ verdict }) => verdict === "fail").length;
  const open = file.children.size - hold - fail;
  const undecided = open > 0 ? `, ${open} undecided` : "";
  window.setStatusBarMessage(`${count(file.children.size, "assertion")}: ${hold} hold, ${fail} fail${undecided}`, 10_000);
}

/** Opens the explorer at a process. */
async function explore(server: Server, command: typeof STEP | typeof GRAPH): Promise<void> {
  const process = await chosenProcess(server);
  const script = window.activeTextEditor?.document.uri.toString();
  if (process && script) await commands.executeCommand(command, script, process);
}

/** A process of the script that is shown, as the user chooses: the one at the cursor comes first. */
export async function chosenProcess(server: Server): Promise<string | undefined> {
  const document = shownScript();
  if (!document) return undefined;
  const lenses = (await server.lenses(document.uri)).filter((lens) => lens.command?.command === STEP);
  const line = window.activeTextEditor?.selection.active.line ?? 0;
  const isHere = ({ start, end }: (typeof lenses)[number]["range"]): boolean => start.line <= line && line <= end.line;
  const here = lenses.findIndex(({ range }) => isHere(range));
  const sorted = here < 0 ? lenses : [...lenses.slice(here), ...lenses.slice(0, here)];
  const named = (lens: Lens): string[] => [lens.command?.arguments?.[1]].filter((name) => typeof name === "string");
  const names = sorted.flatMap(named);
  const other: QuickPickItem = { label: "Another process …", description: "any expression, such as POLE(A)" };
  const chosen = await window.showQuickPick([...names.map((label): QuickPickItem => ({ label })), other], { placeHolder: "A process" });
  return chosen === other ? await window.showInputBox({ prompt: "An expression of the script that is a process" }) : chosen?.label;
}

/** Opens the script of the walkthrough as a new document, which can be changed and saved anywhere. */
async function sample(extension: Uri): Promise<void> {
  const bytes = await workspace.fs.readFile(Uri.joinPath(extension, "walkthrough/tickets.csp"));
  await window.showTextDocument(await workspace.openTextDocument({ language: LANGUAGE, content: new TextDecoder().decode(bytes) }));
}

function shownScript(): TextDocument | undefined {
  const document = window.activeTextEditor?.document;
  if (document?.languageId === LANGUAGE) return document;
  void window.showInformationMessage("Open a CSPm script first.");
  return undefined;
}
