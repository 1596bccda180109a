// Deciding assertions: one request for all that are wanted, of which is shown how far it is, and which can be stopped
// so that what is known is kept.
import { askForNews, stop } from "./api.js";

/** What is known of the assertion `number` of the script as it is now; nothing if it was decided before a change. */
export const verdictOf = ({ verdicts, version }, number) => (verdicts[number]?.version === version ? verdicts[number] : undefined);

/** The verdicts that are still about one of these `assertions`, by its new number. */
export function stillAbout(verdicts, assertions) {
  const left = Object.values(verdicts);
  return Object.fromEntries(assertions.flatMap(({ number, text }) => {
    const place = left.findIndex((verdict) => verdict.text === text);
    return place < 0 ? [] : [[number, left.splice(place, 1)[0]]];
  }));
}

/** Decides the assertions of a page. In its state, `checking` says what is decided now, and `verdicts` what is known. */
export class Checking {
  constructor(page) {
    this.page = page;
    this.work = null;
  }

  /** Decides the assertions with these numbers, all of them if none is given, one after the other. */
  async check(numbers) {
    const { page } = this;
    const work = (this.work = { id: `${Date.now()}.${Math.random()}`, abort: new AbortController() });
    const { version, settings, assertions } = page.state;
    page.setState({ checking: { number: numbers?.[0] ?? assertions[0]?.number, progress: null, isStopping: false } });
    const textOf = (number) => assertions.find((assertion) => assertion.number === number)?.text;
    const note = (number, answer) => page.setState(({ verdicts }) => ({ verdicts: { ...verdicts, [number]: { ...answer, version, text: textOf(number) } } }));
    const hear = ({ progress, decided }) => {
      if (this.work !== work) return;
      if (decided) {
        note(decided.assertion, decided);
        page.setState(({ checking }) => ({ checking: { ...checking, number: null, progress: null } }));
      }
      if (progress) page.setState(({ checking }) => ({ checking: { ...checking, number: progress.assertion, progress } }));
    };
    const request = { ...page.request({ assertions: numbers, timeout_each: settings.seconds }), ...settings.asked(), id: work.id };
    try {
      await askForNews("check_all", request, work.abort.signal, hear);
    } catch (error) {
      // What was stopped in a page that runs the program itself has no answer.
      const { checking } = page.state;
      if (this.work !== work || !checking || work.abort.signal.aborted) return;
      // Between two assertions nothing is being decided of which something could be said.
      if (checking.number === null) page.setState({ note: error.message });
      else note(checking.number, checking.isStopping ? { stopped: checking.progress } : { problem: error.message });
    } finally {
      if (this.work === work) page.setState({ checking: null });
    }
  }

  /** Ends the work, and keeps what is known. If that was asked for before, the work is given up at once. */
  async stop() {
    const { checking } = this.page.state;
    if (!checking) return;
    if (checking.isStopping) return this.drop();
    this.page.setState({ checking: { ...checking, isStopping: true } });
    const { result } = await stop(this.work.id).catch(() => ({ result: null }));
    // A request that is sent again after the program was gone is not known there yet.
    if (result && !result.stopped) this.drop();
  }

  /** Gives up what is being decided. */
  drop() {
    this.work?.abort.abort();
    this.work = null;
    this.page.setState({ checking: null });
  }
}
