// The page with every message: the explanations of `cspsym explain`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./places.mjs";

const FOLDER = "src/report/explanations";

/** The text of the page, in Markdown. */
export function messages() {
  const codes = readdirSync(join(ROOT, FOLDER)).map((file) => file.replace(/\.md$/, "")).sort();
  const intro = `Each message has a code, such as \`error[unknown-name]\`. \`cspsym explain CODE\` prints what is said here.\n`;
  return [`# Messages by code\n`, intro, ...codes.map((code) => explanation(code, codes))].join("\n");
}

function explanation(code, codes) {
  const [subject, ...rest] = readFileSync(join(ROOT, FOLDER, `${code}.md`), "utf8").trim().split("\n");
  const body = rest.join("\n").replace(/^## (.+)$/gm, "**$1**");
  const linked = body.replace(/^See also: .+(\n.+)*/gm, (line) => line.replace(/`([^`]+)`/g, (whole, other) => (codes.includes(other) ? `[${whole}](#${other})` : whole)));
  return `## ${code}\n\n*${subject}*\n${linked}\n`;
}
