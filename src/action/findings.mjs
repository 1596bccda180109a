// What a check has found, read from its file in SARIF, and what the step makes of its exit status.

import { posix } from "node:path";

/** What makes the step fail, the most that does first: each with the exit statuses that do. */
const FAILING = { undecided: [1, 2, 3], failure: [1, 2], error: [2], never: [] };

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

/** The findings, with paths from the top of the repository; the program ran in its `folder`. */
export function findings(sarif, folder) {
  return sarif.runs.flatMap((run) => run.results ?? []).map((result) => {
    const place = result.locations?.[0]?.physicalLocation;
    const uri = place?.artifactLocation?.uri;
    const region = place?.region ?? {};
    const file = uri && !/^[a-z][a-z0-9+.-]*:/i.test(uri) ? decodeURIComponent(uri) : undefined;
    const top = folder.replaceAll("\\", "/");
    return {
      level: result.level === "error" ? "error" : "warning",
      rule: result.ruleId,
      title: TITLES[result.ruleId] ?? "cspsym",
      message: result.message.text,
      file: file && (file.startsWith("/") ? file : posix.join(top, file)),
      line: region.startLine,
      endLine: region.endLine,
      column: region.startColumn,
      endColumn: region.endColumn,
    };
  });
}
