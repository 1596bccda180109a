// The summary of a job in Markdown: a row for each script, and below what does not hold.

/** The most findings that are listed: a summary is to be read. */
const MOST = 50;

/** The characters that XML has names for. */
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of an attribute in XML. */
function unescaped(text) {
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name) => {
    if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(Number(name[1] === "x" ? `0${name.slice(1)}` : name.slice(1)));
  });
}

/** The suites in the XML of JUnit that the program writes, each with its numbers. */
export function suites(junit) {
  const all = junit.matchAll(/<testsuite\s([^>]*)>([^]*?)<\/testsuite>/g);
  return [...all].map(([, head, body]) => {
    const attribute = (name) =>
      unescaped(head.match(new RegExp(`(?:^|\\s)${name}="([^"]*)"`))?.[1] ?? "");
    const count = (name) => Number(attribute(name) || 0);
    const [tests, failures, errors] = ["tests", "failures", "errors"].map(count);
    // JUnit has one name for what is undecided and for mistakes; the type tells them apart.
    const undecided = body.match(/<error\s[^>]*\btype="undecided/g)?.length ?? 0;
    return { name: attribute("name"), tests, failures, undecided, mistakes: errors - undecided };
  });
}

/** A text as code in one line, whatever signs it has. */
function code(text) {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const inside = text.replace(/\s+/g, " ");
  return longest > 0 ? `${fence} ${inside} ${fence}` : `${fence}${inside}${fence}`;
}

/** The summary of the verdicts in `junit`, with the `findings`. */
export function summary(junit, findings) {
  const rows = suites(junit).map(({ name, tests, failures, undecided, mistakes }) => {
    const holds = tests - failures - undecided - mistakes;
    const script = code(name).replaceAll("|", "\\|");
    return `| ${script} | ${holds} | ${failures} | ${undecided} | ${mistakes} |`;
  });
  const table = ["| script | hold | fail | undecided | mistakes |", "|---|---|---|---|---|", ...rows];
  const place = ({ file, line }) => (file === undefined ? "" : `${file}${line ? `:${line}` : ""}`);
  const items = findings.slice(0, MOST).map((finding) => {
    const where = place(finding);
    return `- ${finding.title}${where ? ` (${code(where)})` : ""}: ${code(finding.message)}`;
  });
  const more = findings.length - items.length;
  if (more > 0) items.push(`- and ${more} more`);
  const found = items.length > 0 ? ["", ...items] : [];
  return ["### cspsym", "", ...table, ...found, "", ""].join("\n");
}
