// What the tests in the editor share.
import { type TextDocument, type TextEditor, Uri, extensions, window, workspace } from "vscode";
import type { Parts } from "../../../src/extension";

/** A test: its name, and what it does. */
export type Test = readonly [string, () => Promise<void>];

/** How many milliseconds something may take until it is there. */
const PATIENCE = 60_000;

/** The extension, whether its program runs or not. */
export async function whole(): Promise<Parts> {
  const extension = extensions.getExtension<Parts>("cspsym.cspsym");
  if (!extension) throw new Error("the extension is not there");
  return extension.activate();
}

/** The extension, once its program runs. */
export async function parts(): Promise<Parts> {
  const found = await whole();
  await until(() => found.server.health === "running");
  return found;
}

export function uriOf(name: string): Uri {
  const [folder] = workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("there is no folder");
  return Uri.joinPath(folder.uri, name);
}

export async function opened(name: string): Promise<TextDocument> {
  return workspace.openTextDocument(uriOf(name));
}

export async function shown(name: string): Promise<TextEditor> {
  return window.showTextDocument(await opened(name));
}

/** Waits until `found` gives something. */
export async function until<T>(found: () => T | PromiseLike<T>): Promise<Exclude<T, false | null | undefined>> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const value = await found();
    if (value) return value as Exclude<T, false | null | undefined>;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it does not come: ${found.toString()}`);
}

/** Sets a setting for a while. */
export async function withSetting(name: string, value: unknown, work: () => Promise<void>): Promise<void> {
  const { server } = await whole();
  const changed = async (to: unknown): Promise<void> => {
    let began = false;
    const heard = server.onDidChange(() => (began ||= server.health === "starting"));
    await workspace.getConfiguration("cspsym").update(name, to, true);
    await until(() => began && server.health !== "starting");
    heard.dispose();
  };
  const before = workspace.getConfiguration("cspsym").inspect(name)?.globalValue;
  await changed(value);
  try {
    await work();
  } finally {
    await changed(before);
  }
}
