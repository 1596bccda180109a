// A walk as a debugger: the program is the debug adapter.
import { type DebugConfiguration, DebugAdapterExecutable, type Disposable, debug, window } from "vscode";
import { chosenProcess } from "./commands";
import { LANGUAGE, type Server } from "./server";

export function debuggers(server: Server): Disposable[] {
  return [
    debug.registerDebugAdapterDescriptorFactory(LANGUAGE, {
      createDebugAdapterDescriptor: () => {
        if ("problem" in server.found) throw new Error(server.found.problem);
        return new DebugAdapterExecutable(server.found.program, ["dap"]);
      },
    }),
    debug.registerDebugConfigurationProvider(LANGUAGE, {
      resolveDebugConfiguration: (_, configuration) => resolved(server, configuration),
    }),
  ];
}

/** The configuration, or one for the script that is shown if there is none yet. */
async function resolved(server: Server, configuration: DebugConfiguration): Promise<DebugConfiguration | undefined> {
  const document = window.activeTextEditor?.document;
  const program: unknown = configuration["program"] ?? (document?.languageId === LANGUAGE ? document.uri.fsPath : undefined);
  const begun: DebugConfiguration = { ...configuration, type: LANGUAGE, request: "launch", name: configuration.name || "Walk a process", program };
  if (begun["process"] !== undefined || begun["assertion"] !== undefined) return begun;
  const process = await chosenProcess(server);
  return process === undefined ? undefined : { ...begun, process };
}
