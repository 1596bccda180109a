// What is said where the program is missing, and how it is got.
import { commands, window } from "vscode";
import { SECTION } from "./settings";

/** Shows the step of the walkthrough that says how to install the program. */
export async function install(): Promise<void> {
  await commands.executeCommand("workbench.action.openWalkthrough", { category: "cspsym.cspsym#start", step: "install" }, false);
}

/** Says that the program is missing, with ways on. */
export async function sayMissing(problem: string): Promise<void> {
  const [how, set, again] = ["How to install", "Open the setting", "Look again"];
  const chosen = await window.showErrorMessage(`${problem} Without it scripts have colours and snippets, and nothing is checked.`, how, set, again);
  if (chosen === how) await install();
  if (chosen === set) await commands.executeCommand("workbench.action.openSettings", `${SECTION}.path`);
  if (chosen === again) await commands.executeCommand(`${SECTION}.restart`);
}
