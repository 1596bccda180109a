// Where requests of editor and server meet what this extension does itself.
import { window } from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { Assertions } from "./assertions";
import type { Pages } from "./pages";
import { CHECK } from "./server";

export function middleware(pages: Pages, assertions: () => Assertions): Middleware {
  return {
    // The client registers the commands of the server, and calls this for a lens.
    executeCommand: async (command, args, next) => {
      try {
        const [script, index] = args as unknown[];
        const isCheck = command === CHECK && typeof script === "string" && typeof index === "number";
        const item = isCheck ? assertions().item(script, index) : undefined;
        // A check by a lens is a run of the test explorer, so that both show one verdict.
        if (item) return await assertions().runner.one(item);
        return (await next(command, args)) as unknown;
      } catch (error) {
        void window.showErrorMessage(error instanceof Error ? error.message : String(error));
        return undefined;
      }
    },
    window: {
      showDocument: async (params, token, next) => {
        if (params.external !== true) return next(params, token);
        return { success: await pages.show(params.uri) };
      },
    },
  };
}
