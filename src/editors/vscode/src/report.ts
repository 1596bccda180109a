// The report on an assertion, as `cspsym check --format json` prints it, and its text.

/** The keys that are read here; `cspsym help json` has all. */
export interface Report {
  readonly assertion: string;
  readonly verdict: "pass" | "fail" | "error" | "unknown";
  readonly states: number | null;
  readonly transitions: number | null;
  /** Null if no symmetry was used. */
  readonly symmetry: object | null;
  readonly counterexample: Counterexample | null;
  readonly seconds: { readonly total: number };
  readonly message: string | null;
  readonly remarks: readonly string[];
}

interface Counterexample {
  readonly sentence: string;
  readonly trace_with_taus: readonly string[];
  readonly cycle: readonly string[] | null;
}

const VERDICTS = { pass: "holds", fail: "fails", error: "error", unknown: "undecided" } as const;

/** The verdict in a line. */
export function verdict(report: Report): string {
  return `assert ${report.assertion}: ${VERDICTS[report.verdict]}`;
}

/** What is known beside the verdict, in some lines: what is wrong, and the steps that lead there. */
export function details(report: Report): string {
  const { counterexample: found } = report;
  const lines = [];
  if (report.message !== null) lines.push(report.message);
  if (found) lines.push(found.sentence, ...numbered(found.trace_with_taus));
  if (found?.cycle) lines.push("and then again and again:", ...numbered(found.cycle));
  if (report.states !== null) {
    const transitions = report.transitions === null ? "" : `, ${count(report.transitions, "transition")}`;
    const state = report.symmetry === null ? "state" : "representative state";
    lines.push(`${count(report.states, state)}${transitions}, ${report.seconds.total.toFixed(2)} s`);
  }
  return [...lines, ...report.remarks].join("\n");
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-GB")} ${noun}${number === 1 ? "" : "s"}`;
}

function numbered(steps: readonly string[]): string[] {
  const width = String(steps.length).length;
  return steps.map((step, index) => `  ${String(index + 1).padStart(width)}  ${step}`);
}
