// Builds the site: the pages from the manual, the models and the labs, the explorer, and all of it by mdBook.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { address, exportExplorer } from "./explorer.mjs";
import { titleOf } from "./markdown.mjs";
import { messages } from "./messages.mjs";
import { LABS, LIST, modelFiles, modelPage, modelTarget } from "./models.mjs";
import { Pages } from "./pages.mjs";
import { BOOK, BUILT, HERE, PAGES, ROOT, WASM } from "./places.mjs";
import { topics } from "./program.mjs";

const read = (file) => readFileSync(join(ROOT, file), "utf8");
const hasExplorer = WASM !== null;
const pages = new Pages();

/** Pages whose texts are files of the repository: their links are followed once all pages are known. */
const files = [];

function addFile(file, path, { title, from = [], ...more } = {}) {
  const text = read(file);
  pages.add({ path, title: title ?? titleOf(text), text: null, from: [file, ...from], ...more });
  files.push({ file, path });
}

function addManual() {
  for (const [index, { topic }] of topics().entries()) {
    addFile(`src/host/manual/${topic}.md`, `manual/${topic}.md`, { from: [`cspsym help ${topic}`], part: index === 0 ? "Manual" : null });
  }
  pages.add({ path: "messages.md", title: "Messages by code", text: messages(), from: ["cspsym explain", "cspsym explain CODE", "src/report/explanations/"] });
  files.push({ path: "messages.md" });
}

function addModels(models) {
  addFile(LIST, "models/index.md", { part: "Models" });
  for (const file of models) {
    const { path, title, text } = modelPage(file, { hasExplorer });
    pages.add({ path, title, text, from: [file], depth: 1 });
  }
}

function addLabs(labs) {
  for (const [index, lab] of labs.entries()) addFile(`${LABS}/${lab}/lab.md`, `labs/${lab}.md`, { part: index === 0 ? "Labs" : null });
}

function addProject() {
  const about = [["CHANGELOG.md", "changes"], ["CONTRIBUTING.md", "contributing"], ["ARCHITECTURE.md", "architecture"], ["SECURITY.md", "security"], ["RELEASING.md", "releasing"]];
  for (const [index, [file, name]] of about.entries()) addFile(file, `project/${name}.md`, { part: index === 0 ? "The project" : null });
}

/** The start of a page: a button that opens the explorer with this script. */
function withButton(text, path, file) {
  if (!hasExplorer) return text;
  return text.replace(/^# .+$/m, (title) => `${title}\n\n<p class="actions"><a class="button" href="${address(path, file)}">Open in the explorer</a></p>`);
}

function textOf({ path, text }) {
  const { file } = files.find((one) => one.path === path) ?? {};
  if (file === undefined && path !== "messages.md") return text;
  const more = file === LIST ? modelTarget : undefined;
  const linked = pages.text(text ?? read(file), { path, file: file ?? path, more });
  const lab = file?.startsWith(LABS) ? dirname(file) : null;
  if (lab) return withButton(linked, path, `${lab}/start.csp`);
  return path === "index.md" ? withButton(linked, path, "cspm/philosophers/philosophers.csp") : linked;
}

const models = modelFiles();
const labs = readdirSync(join(ROOT, LABS), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
rmSync(BOOK, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
cpSync(join(HERE, "book"), BOOK, { recursive: true });
addFile("README.md", "index.md", { title: "cspsym" });
addManual();
addModels(models);
addLabs(labs);
addProject();
for (const page of pages.all) {
  mkdirSync(dirname(join(PAGES, page.path)), { recursive: true });
  writeFileSync(join(PAGES, page.path), textOf(page));
}
writeFileSync(join(PAGES, "SUMMARY.md"), pages.summary());
if (hasExplorer) exportExplorer([...models, ...labs.map((lab) => `${LABS}/${lab}/start.csp`)]);
const { status, error } = spawnSync("mdbook", ["build", BOOK, "--dest-dir", BUILT], { stdio: ["ignore", "ignore", "inherit"] });
if (error) throw new Error(`mdbook cannot be run: ${error.message}`);
if (status !== 0) process.exit(status);
const without = hasExplorer ? "" : ", without the explorer: the program was not built as WebAssembly";
process.stdout.write(`The site is in ${BUILT}: ${pages.all.length} pages, ${models.length} models${without}.\n`);
