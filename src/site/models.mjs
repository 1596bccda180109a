// The shipped models: their list, and a page for each with drawings, verdicts and the script.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commentAbove, commentHtml, firstComment, subjectOf, withoutSubject } from "./comments.mjs";
import { address } from "./explorer.mjs";
import { highlighted } from "./highlight.mjs";
import { asHtml, asMarkdown } from "./markdown.mjs";
import { PAGES, ROOT } from "./places.mjs";
import { channels, contents, graph, layers, verdicts } from "./program.mjs";

const FOLDER = "cspm";

/** The list of the models, with a table that has a row for each folder. */
export const LIST = `${FOLDER}/README.md`;

/** The folder of the labs, which are no models. */
export const LABS = `${FOLDER}/labs`;

/** A graph with more states is not drawn on the page of a model: it is too large to be looked at as a whole. */
const MOST_STATES = 100;

/** Words for the verdicts of reports. */
const VERDICTS = { pass: "holds", fail: "fails" };

/** The files of all models, in the order of the list, which has to have each. The one named like its folder is the first. */
export function modelFiles() {
  const list = readFileSync(join(ROOT, LIST), "utf8");
  const rows = [...list.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, folder]) => folder);
  const folders = readdirSync(join(ROOT, FOLDER), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const listed = [...new Set(rows)].filter((folder) => existsSync(join(ROOT, FOLDER, folder)));
  const missing = folders.filter((folder) => !listed.includes(folder) && `${FOLDER}/${folder}` !== LABS);
  if (missing.length > 0) throw new Error(`${LIST} does not list ${missing.join(", ")}`);
  return listed.flatMap((folder) => {
    const scripts = readdirSync(join(ROOT, FOLDER, folder)).filter((name) => name.endsWith(".csp")).sort();
    const first = scripts.filter((name) => name === `${folder}.csp`);
    return [...first, ...scripts.filter((name) => !first.includes(name))].map((name) => `${FOLDER}/${folder}/${name}`);
  });
}

/** The path of the page of a model. */
export const modelPath = (file) => file.replace(/^cspm\//, "models/").replace(/\.csp$/, ".md");

/** What code in the list of models leads to: the first model of a folder, or a script of the folder of the row. */
export function modelTarget(inner, line) {
  const [, folder] = line.match(/^\| `([\w-]+)` \|/) ?? [];
  const files = inner.endsWith(".csp") ? [`${folder}/${inner}`, inner] : [`${inner}/${inner}.csp`];
  const file = files.map((name) => `${FOLDER}/${name}`).find((name) => existsSync(join(ROOT, name)));
  if (file !== undefined) return modelPath(file).replace(/^models\//, "");
  const isFolder = inner === folder && existsSync(join(ROOT, FOLDER, folder));
  return isFolder ? modelPath(modelFiles().find((name) => name.startsWith(`${FOLDER}/${folder}/`))).replace(/^models\//, "") : null;
}

/** The page of a model: its title and text. Drawings and the script are written beside it. */
export function modelPage(file, { hasExplorer }) {
  const path = modelPath(file);
  const script = readFileSync(join(ROOT, file), "utf8");
  const own = file.split("/").at(-1);
  const has = contents(file);
  const reports = verdicts(file);
  const introduction = firstComment(script);
  const subject = subjectOf(introduction);
  const write = (name, text) => {
    mkdirSync(dirname(join(PAGES, path)), { recursive: true });
    writeFileSync(join(PAGES, dirname(path), name), text);
  };
  write(own, script);
  const toExplorer = hasExplorer ? `<a class="button" href="${address(path, file)}">Open in the explorer</a> ` : "";
  const text = [
    `# ${asMarkdown(subject)}`,
    `<p class="actions">${toExplorer}<a class="button plain" href="${own}" download>Download <code>${own}</code></a></p>`,
    commentHtml(withoutSubject(introduction, subject)),
    constantsHtml(has.constants),
    "## Drawings",
    drawings(file, has, { write, path, hasExplorer }),
    "## Assertions",
    `<p>${asHtml(tally(reports))} That is what <code>cspsym check ${asHtml(file)}</code> finds.</p>`,
    assertionsHtml(has.assertions, reports, script, own),
    `## The script\n`,
    highlighted(script, "csp", "line"),
    ...included(file, script),
  ];
  return { path, title: own.replace(/\.csp$/, ""), text: text.filter((part) => part !== "").join("\n\n") };
}

function constantsHtml(constants) {
  const sizes = constants.filter(({ value }) => /^(\d+|<[\d, ]*>)$/.test(value));
  if (sizes.length === 0) return "";
  const named = sizes.map(({ name, value }) => `<code>${asHtml(`${name} = ${value}`)}</code>`);
  return `<p>Sizes: ${named.join(", ")}. The option <code>-D</code> replaces them, as in <code>-D ${asHtml(`${sizes[0].name}=${sizes[0].value}`)}</code>.</p>`;
}

/** The processes of which one is drawn on a model's page: what the list calls the system, or all that is asserted of. */
export function drawnProcesses({ assertions, processes }) {
  if (processes.includes("SYSTEM")) return ["SYSTEM"];
  const asserted = [...new Set(assertions.map(({ process }) => process))];
  const named = asserted.filter((process) => processes.includes(process));
  return named.length > 0 ? named : asserted.slice(0, 1);
}

/** The process that is drawn: the largest one, of those whose graphs can be looked at as a whole. */
function drawnProcess(file, has) {
  const processes = drawnProcesses(has);
  if (processes.length === 1) return processes[0];
  const sizes = processes.map((process) => Number(graph(process, file, MOST_STATES)?.match(/: ([\d,]+) states?/)[1] ?? 0));
  return processes[sizes.indexOf(Math.max(...sizes))];
}

function drawings(file, has, { write, path, hasExplorer }) {
  const process = drawnProcess(file, has);
  const name = file.split("/").at(-1).replace(/\.csp$/, "");
  const code = `<code>${asHtml(process)}</code>`;
  const found = [
    ["channels", channels(process, file), `The components of ${code} and the channels between them. Symmetries take those of one colour to each other.`],
    ["graph", graph(process, file, MOST_STATES), `The states of ${code} and the steps between them.`],
  ].filter(([, drawing]) => drawing !== null);
  if (found.length === 0) found.push(["layers", layers(process, file), `The states of ${code}, those that are equally many steps away from the initial one as one box.`]);
  const figures = found.filter(([, drawing]) => drawing !== null).map(([kind, drawing, caption]) => {
    const picture = `${name}-${kind}.svg`;
    write(picture, drawing);
    const [, title] = drawing.match(/<title>([^<]*)<\/title>/);
    return `<figure><a href="${picture}"><img src="${picture}" alt="${title}" loading="lazy"></a><figcaption>${caption}</figcaption></figure>`;
  });
  const more = `#${new URLSearchParams({ tab: "graph", process })}`;
  const rest = hasExplorer ? `<p><a href="${address(path, file)}${asHtml(more)}">Draw all its states in the explorer</a>.</p>` : "";
  if (figures.length === 0) throw new Error(`${file} has no drawing`);
  return [...figures, found.some(([kind]) => kind === "graph") ? "" : rest].join("\n");
}

/** How many of these reports say that something holds, fails, or is undecided. */
export function tally(reports) {
  const words = reports.map(({ verdict }) => VERDICTS[verdict] ?? "undecided");
  const counted = [...Object.values(VERDICTS), "undecided"].map((word) => [word, words.filter((other) => other === word).length]);
  const said = counted.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${inNumber(word, count)}`);
  return `${said.join(", ")}.`;
}

/** A word for a verdict, as it is said of so many assertions. */
const inNumber = (word, count) => (count === 1 ? word : { holds: "hold", fails: "fail" }[word] ?? word);

function assertionsHtml(assertions, reports, script, own) {
  const items = assertions.map(({ text, place }, index) => {
    const report = reports[index];
    const word = VERDICTS[report.verdict] ?? "undecided";
    // An assertion of an included file has its comment there.
    const isOwn = place.file.endsWith(`/${own}`);
    const said = isOwn ? commentHtml(commentAbove(script, place.line)) : "";
    const shown = `<code>${asHtml(text)}</code>`;
    const found = report.counterexample?.sentence ?? report.message?.message ?? null;
    return [
      `<li>${isOwn ? `<a href="#line-${place.line}">${shown}</a>` : shown} <strong class="${word}">${word}</strong>${effortHtml(report)}`,
      said,
      found === null ? "" : `<p class="found">${asHtml(found)}</p>`,
      "</li>",
    ].filter((part) => part !== "").join("\n");
  });
  return `<ol class="assertions">\n${items.join("\n")}\n</ol>`;
}

function effortHtml({ states, symmetry, representative }) {
  if (states === null || states === undefined) return "";
  const number = states.toLocaleString("en");
  const plain = `${number} state${states === 1 ? "" : "s"}`;
  if (!representative || !symmetry) return ` <span class="effort">${plain}</span>`;
  const orbits = `${number} representative state${states === 1 ? "" : "s"} under ${BigInt(symmetry.order).toLocaleString("en")} symmetries (${asHtml(symmetry.structure)})`;
  return ` <span class="effort">${orbits}</span>`;
}

/** The files that a script includes, each with its text. */
function included(file, script) {
  const names = [...script.matchAll(/^include "([^"]+)"/gm)].map(([, name]) => name);
  return names.flatMap((name) => {
    const text = readFileSync(join(ROOT, dirname(file), name), "utf8");
    return [`### ${asMarkdown(name)}, which it includes`, highlighted(text, "csp")];
  });
}
