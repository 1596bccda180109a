// Shows the pages of the explorer: in a panel where the server lends them, or else in the browser.
import { Uri, ViewColumn, type WebviewPanel, env, window } from "vscode";
import { panelHtml } from "./panel";
import type { Server } from "./server";
import { pagePlace } from "./settings";

export class Pages {
  /** The panels by the address of their page, without what stands behind `#`. */
  private readonly panels = new Map<string, WebviewPanel>();

  constructor(private readonly server: () => Server) {}

  /** Shows the page at `address`. Returns false if it cannot be reached from this window. */
  async show(address: string): Promise<boolean> {
    const page = Uri.parse(address, true);
    const reached = await env.asExternalUri(page.with({ fragment: "" }));
    if (reached.authority !== page.authority) {
      // The page answers to the address alone that it was served at.
      this.sayWhere(address, page.authority);
      return true;
    }
    if (this.server().lendsPages && pagePlace() === "panel") {
      this.reveal(address);
      return true;
    }
    // As an object the address would be encoded once more behind `#`, and the page not understand it.
    return env.openExternal(address as unknown as Uri);
  }

  private reveal(address: string): void {
    const [page = address] = address.split("#");
    const known = this.panels.get(page);
    if (known) {
      known.reveal(undefined, true);
      void known.webview.postMessage({ address });
      return;
    }
    const where = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    // What is hidden stays, because a walk would begin anew.
    const panel = window.createWebviewPanel("cspsym.explorer", "CSP explorer", where, { enableScripts: true, retainContextWhenHidden: true });
    panel.webview.html = panelHtml(address);
    panel.onDidDispose(() => this.panels.delete(page));
    this.panels.set(page, panel);
  }

  private sayWhere(address: string, authority: string): void {
    const copy = "Copy the address";
    const message = `The page is served at ${authority} of the machine with cspsym, and to that machine alone. Forward that port to the same port here, and open the address in a browser.`;
    void window.showInformationMessage(message, copy).then(async (chosen) => {
      if (chosen === copy) await env.clipboard.writeText(address);
    });
  }
}
