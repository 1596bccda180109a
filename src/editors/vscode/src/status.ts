// The item in the status bar beside the name of the language: version, health, and what is checked.
import { Disposable, LanguageStatusSeverity, languages } from "vscode";
import { LANGUAGE, type Server } from "./server";

export function statusItem(server: Server): Disposable {
  const item = languages.createLanguageStatusItem("cspsym.status", { language: LANGUAGE });
  item.name = "cspsym";
  const shown = (): void => {
    const { found, health } = server;
    item.busy = health === "starting";
    item.severity = LanguageStatusSeverity.Information;
    item.command = { title: "Restart", command: "cspsym.restart" };
    item.detail = "program" in found ? found.program : found.problem;
    if (health === "running" && "version" in found) item.text = `cspsym ${found.version}`;
    else if (health === "starting") item.text = "cspsym starts";
    else if (health === "missing") {
      item.text = "cspsym is missing";
      item.severity = LanguageStatusSeverity.Error;
      item.command = { title: "Install", command: "cspsym.install" };
    } else {
      item.text = "cspsym does not run";
      item.severity = LanguageStatusSeverity.Error;
    }
  };
  shown();
  const changed = server.onDidChange(shown);
  const worked = server.onWork((work) => {
    item.busy = work !== undefined;
    if (work === undefined) shown();
    else item.detail = work;
  });
  return Disposable.from(item, changed, worked);
}
