// Finds the program `cspsym`: where the setting says, or else on the path.
import { execFile } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The program, or the reason why there is none. */
export type Found = { readonly program: string; readonly version: string } | { readonly problem: string };

/** How long the program may take to say its version: it may lie on a slow disk. */
const PATIENCE = 20_000;

/** Finds the program that `chosen` names; without a choice, `cspsym` on `searchPath`. */
export async function find(chosen: string, searchPath = process.env.PATH ?? ""): Promise<Found> {
  const name = chosen || "cspsym";
  const program = await located(name, searchPath);
  if (!program) {
    return chosen
      ? { problem: `The setting cspsym.path names ${chosen}, and there is no such program.` }
      : { problem: "The program cspsym is not on the path." };
  }
  const said = await output(program, ["--version"]);
  const version = /^cspsym (\S+)/.exec(said.text)?.[1];
  return version ? { program, version } : { problem: `${program} is not cspsym: ${said.text.trim() || "it says nothing"}` };
}

/** What a call of the program prints; `failed` if it ends with another status than 0. */
export function output(program: string, args: readonly string[]): Promise<{ text: string; failed: boolean }> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: PATIENCE, windowsHide: true }, (error, stdout, stderr) => {
      resolve({ text: error ? stderr || error.message : stdout, failed: error !== null });
    });
  });
}

async function located(name: string, searchPath: string): Promise<string | undefined> {
  const folders = isAbsolute(name) ? [""] : searchPath.split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? [".exe", ""] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = (folder ? join(folder, name) : name) + ending;
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
