// What a check has found, read from its file in SARIF and from its messages, and what the step makes
// of its exit status.

import { posix } from "node:path";

/** What makes the step fail, the most that does first: each with the exit statuses that do. */
const FAILING = { undecided: [1, 2, 3], failure: [1, 2], error: [2], never: [] };

/** The rule of the findings that each failing exit status of `cspsym check` is about. */
const RULES = { 1: "fails", 2: "error", 3: "undecided" };

/** The most characters of the program's own messages that are shown: they stand in the log, too. */
const MOST_SAID = 4096;

/** The values of the input `fail-on`. */
export const FAIL_ON = Object.keys(FAILING);

/** What a finding is called, by the rule of SARIF. */
const TITLES = {
  fails: "An assertion fails",
  error: "A mistake",
  undecided: "An assertion is undecided",
};

/**
 * The exit status of the step, if the program has ended with `status`. An end that is none of the
 * four of `cspsym check`, such as by a signal, is always a failure.
 */
export function outcome(status, failOn) {
  if (![0, 1, 2, 3].includes(status)) return 1;
  return FAILING[failOn].includes(status) ? status : 0;
}

/** Reads SARIF with paths from `folder`, where the program ran, as one with paths from the top. */
export function fromTop(text, folder) {
  const names = folder.replaceAll("\\", "/").split("/");
  const top = names.map(encodeURIComponent).join("/");
  const isRelative = (uri) => uri && !/^([a-z][a-z0-9+.-]*:|\/)/i.test(uri);
  return JSON.parse(text, (key, value) =>
    key === "artifactLocation" && isRelative(value.uri)
      ? { ...value, uri: posix.join(top, value.uri) }
      : value,
  );
}

/** What the program `said` on its standard error, from the first error. */
export function firstError(said) {
  const from = Math.max(0, said.search(/^error\b/m));
  return said.slice(from).trim().slice(0, MOST_SAID);
}

/**
 * What none of the findings `found` says as an error, though a check ended with `status` because of
 * it: a step that fails is to say why. The program `said` this on its standard error.
 */
export function unsaid(found, status, failOn, said) {
  if (status === 0) return [];
  const rule = RULES[status];
  const title = TITLES[rule] ?? "cspsym";
  if (!found.some((finding) => finding.rule === rule)) {
    const message = firstError(said) || `cspsym check has ended with ${status}`;
    return [{ level: "error", rule, title, message }];
  }
  // Findings of this rule are warnings, as it is `fail-on` that makes them a failure.
  if (rule !== "undecided" || outcome(status, failOn) === 0) return [];
  const message = "The step fails for this alone: `fail-on: failure` would let it pass";
  return [{ level: "error", rule, title, message }];
}

/** The findings, with paths as in `sarif`. */
export function findings(sarif) {
  return sarif.runs.flatMap((run) => run.results ?? []).map((result) => {
    const place = result.locations?.[0]?.physicalLocation;
    const uri = place?.artifactLocation?.uri;
    const region = place?.region ?? {};
    const file = uri && !/^[a-z][a-z0-9+.-]*:/i.test(uri) ? decodeURIComponent(uri) : undefined;
    return {
      level: result.level === "error" ? "error" : "warning",
      rule: result.ruleId,
      title: TITLES[result.ruleId] ?? "cspsym",
      message: result.message.text,
      file,
      line: region.startLine,
      endLine: region.endLine,
      column: region.startColumn,
      endColumn: region.endColumn,
    };
  });
}
