// Decides assertions, and tells the test explorer what comes out.
import {
  type CancellationToken, CancellationTokenSource, Location, type TestController, type TestItem, TestMessage, type TestRun, TestRunRequest,
} from "vscode";
import type { Catalogue } from "./catalogue";
import { type Report, details, verdict } from "./report";
import type { Server } from "./server";

/** The errors of the protocol that say that nobody wants the answer any more. */
const CANCELLED = [-32800, -32801, -32802];

export class Runner {
  constructor(
    private readonly controller: TestController,
    private readonly catalogue: Catalogue,
    private readonly server: Server,
  ) {}

  /** Decides what `request` asks for, one assertion after the other, as the server does. */
  async run(request: TestRunRequest, token?: CancellationToken): Promise<Report[]> {
    const run = this.controller.createTestRun(request);
    const reports: Report[] = [];
    try {
      const items = await this.wanted(request);
      for (const item of items) run.enqueued(item);
      for (const item of items) {
        const report = await this.decide(run, item, [token, run.token]);
        if (report) reports.push(report);
      }
    } finally {
      run.end();
    }
    return reports;
  }

  /** Decides one assertion, as its lens asks for. */
  async one(item: TestItem): Promise<Report | undefined> {
    return (await this.run(new TestRunRequest([item])))[0];
  }

  /** The assertions that a request is about. */
  private async wanted(request: TestRunRequest): Promise<TestItem[]> {
    const excluded = new Set(request.exclude ?? []);
    const wanted: TestItem[] = [];
    for (const item of request.include ?? this.catalogue.files()) {
      if (excluded.has(item)) continue;
      // A script is read first, because it may not be open.
      if (!this.catalogue.assertion(item)) await this.catalogue.resolve(item);
      const assertions = this.catalogue.assertion(item) ? [item] : [...item.children].map(([, child]) => child);
      wanted.push(...assertions.filter((assertion) => !excluded.has(assertion)));
    }
    return wanted;
  }

  private async decide(run: TestRun, item: TestItem, tokens: readonly (CancellationToken | undefined)[]): Promise<Report | undefined> {
    const isCancelled = (): boolean => tokens.some((token) => token?.isCancellationRequested);
    if (isCancelled()) return void run.skipped(item);
    // The script may have been closed since, or the test be another one's now.
    if (item.parent) await this.catalogue.resolve(item.parent);
    const assertion = this.catalogue.assertion(item);
    if (!assertion) return void run.skipped(item);
    const source = new CancellationTokenSource();
    const listeners = tokens.map((token) => token?.onCancellationRequested(() => source.cancel()));
    run.started(item);
    try {
      const report = await this.server.check(assertion.script, assertion.index, source.token);
      this.tell(run, item, report);
      return report;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (isCancelled() || CANCELLED.includes(Number(code))) run.skipped(item);
      else run.errored(item, this.message(item, error instanceof Error ? error.message : String(error)));
      return undefined;
    } finally {
      for (const listener of listeners) listener?.dispose();
      source.dispose();
    }
  }

  private tell(run: TestRun, item: TestItem, report: Report): void {
    const duration = report.seconds.total * 1000;
    const said = details(report);
    // The terminal of the test explorer wants both ends of a line.
    run.appendOutput(`${verdict(report)}\n${said}\n\n`.replaceAll("\n", "\r\n"), undefined, item);
    this.catalogue.decide(item);
    if (report.verdict === "pass") run.passed(item, duration);
    else if (report.verdict === "fail") run.failed(item, this.message(item, said), duration);
    else run.errored(item, this.message(item, said), duration);
  }

  private message(item: TestItem, said: string): TestMessage {
    const message = new TestMessage(said);
    if (item.uri && item.range) message.location = new Location(item.uri, item.range);
    return message;
  }
}
