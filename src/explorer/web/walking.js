// The walk so far, step by step, so that only what is new is asked for.

/** How many of the states that were looked at last are kept. */
const MOST_KEPT = 64;

/** The walk of a `subject` through one version of the script. */
export class Trail {
  constructor(subject, version) {
    this.subject = subject;
    this.version = version;
    this.steps = [];
    /** What was answered by number of steps, without the steps; those used last stand last. */
    this.kept = new Map();
  }

  /** The state at the end of `path`; `ask` asks for what is not known. A `null` path leads to a counterexample. */
  async to(path, ask) {
    const common = path === null ? 0 : this.common(path);
    if (path !== null && common === path.length && this.kept.has(common)) return this.known(common);
    const { subject } = this;
    let found = await ask("at", path === null ? subject : { ...subject, path, ...(common > 0 ? { from: common } : {}) });
    if (common > 0 && !this.fits(found, common)) found = await ask("at", { ...subject, path });
    const { from = 0, steps, trace, ...rest } = found;
    const count = from + steps.length;
    // What is known beyond stays for going forward again, unless the walk goes another way now.
    if (from === 0 || steps.length > 0) {
      this.steps = [...this.steps.slice(0, from), ...steps];
      for (const kept of [...this.kept.keys()]) if (kept > common) this.kept.delete(kept);
    }
    this.keep(count, rest);
    return this.known(count);
  }

  /** How many steps `path` has in common with the walk. */
  common(path) {
    let count = 0;
    while (count < path.length && this.steps[count]?.name === path[count]) count += 1;
    return count;
  }

  /**
   * Whether the steps that are known go on with `found`. Where several components look the same they get numbers, and
   * one that starts later may make a number of a name.
   */
  fits(found, common) {
    if ((found.from ?? 0) !== common) return false;
    const names = new Set(found.components.map((component) => component.name));
    return this.steps.slice(0, common).every((step) => step.parts.every((part) => names.has(part.component)));
  }

  known(count) {
    const rest = this.kept.get(count);
    this.keep(count, rest);
    const steps = this.steps.slice(0, count);
    return { ...rest, steps, trace: steps.map((step) => step.event).filter((event) => !event.startsWith("τ")) };
  }

  keep(count, rest) {
    this.kept.delete(count);
    this.kept.set(count, rest);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
  }
}

/** The counterexample that `walk` has led to, with its steps: it can be gone back and forth on. */
export function foundOn(walk) {
  const found = walk.counterexample;
  return found ? { ...found, path: walk.steps.map((step) => step.name) } : null;
}

/** What is marked on `walk`, as far as it is still on the way to the counterexample `found`. */
export function marksOn(walk, found) {
  if (!found) return {};
  let same = 0;
  while (same < walk.steps.length && walk.steps[same].name === found.path[same]) same += 1;
  return {
    isAtEnd: same === found.steps && walk.steps.length === same,
    wrong: found.wrong_step !== null && same >= found.wrong_step ? found.wrong_step : null,
    cycleFrom: found.cycle_from !== null && same >= found.cycle_from ? found.cycle_from : null,
    cycleTo: Math.min(same, found.steps),
  };
}
