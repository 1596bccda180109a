// Writes the licences of what the bundle contains beside it, as these licences ask for.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { inputs } = JSON.parse(readFileSync("out/bundle.json", "utf8"));
const folders = Object.keys(inputs).flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
const notices = [...new Set(folders)].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!licence) throw new Error(`${name} has no licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, licence), "utf8").trim()}\n`;
});
writeFileSync("out/NOTICES.txt", `The bundle contains these packages.\n\n${notices.join("\n----\n\n")}`);
