// The program that serves the page: whether it answers, and what is done while it does not.
import { heeding } from "./program.js";

/** While the program is gone it is looked for every so many milliseconds. */
const EVERY = 3000;

/** A request that fails so often although the program is there is not sent again. */
const MOST_FAILURES = 3;

class Connection {
  constructor() {
    /** `there`; `gone`, as long as nobody answers; or `moved`, if another run of the program does, at another address. */
    this.state = "there";
    /** Told by the program when the page is opened, and sent to nobody: who answers later is the same program only if it knows this. */
    this.run = null;
    this.told = () => {};
    this.looking = null;
  }

  /** What `send` gives, which sends a request that may come twice. While the program is gone, the request waits. */
  async reach(send, signal) {
    for (let failures = 1; ; failures += 1) {
      try {
        return await send();
      } catch (error) {
        // This is how `fetch` says that nobody answers.
        if (!(error instanceof TypeError)) throw error;
        if (failures === MOST_FAILURES) throw new Error("the connection to the program breaks each time that this is asked");
      }
      if (await heeding(signal, this.look())) failures = 0;
    }
  }

  /** Looks for the program until it is there. Returns whether it was gone. */
  look() {
    this.looking ??= this.found().finally(() => (this.looking = null));
    return this.looking;
  }

  async found() {
    for (let wasGone = false; ; wasGone = true) {
      const answer = await this.whoAnswers();
      if (answer === "same") this.become("there");
      if (answer === "same") return wasGone;
      if (answer === "other") this.move();
      this.become("gone");
      await new Promise((done) => setTimeout(done, EVERY));
    }
  }

  /** Notes that the program has another address now, which the page cannot know. */
  move() {
    this.become("moved");
    throw new Error("the program has another address now");
  }

  async whoAnswers() {
    let answer;
    try {
      answer = await fetch("opening");
    } catch {
      return "nobody";
    }
    // The path begins with the token, which another run does not know. With another mistake it is asked again.
    if (!answer.ok) return answer.status === 404 ? "other" : "nobody";
    const start = await answer.json().catch(() => null);
    return start?.run === this.run ? "same" : "other";
  }

  become(state) {
    if (this.state === state) return;
    this.state = state;
    this.told(state);
  }
}

/** The connection of this page; `told` gets each new state. */
export const connection = new Connection();
