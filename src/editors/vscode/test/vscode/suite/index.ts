// Runs in the editor: each test in turn, and a line with its name and what was wrong.
import { appendFileSync } from "node:fs";
import * as assertions from "./assertions";
import * as language from "./language";
import * as server from "./server";

export async function run(): Promise<void> {
  const results = process.env.CSPSYM_RESULTS;
  if (results === undefined) throw new Error("CSPSYM_RESULTS names no file");
  for (const [name, work] of [...language.tests, ...assertions.tests, ...server.tests]) {
    if (!name.includes(process.env.CSPSYM_ONLY ?? "")) continue;
    let problem: string | null = null;
    try {
      await work();
    } catch (error) {
      problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    appendFileSync(results, `${JSON.stringify({ name, problem })}\n`);
  }
}
