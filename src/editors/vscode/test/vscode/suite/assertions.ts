// Assertions as tests: which there are, and what comes out when they are run.
import assert from "node:assert/strict";
import { CancellationTokenSource, Position, TestRunRequest, WorkspaceEdit, commands, languages, workspace } from "vscode";
import { details, verdict } from "../../../src/report";
import { type Test, opened, parts, shown, until, uriOf, withSetting } from "./common";

export const tests: Test[] = [
  ["each assertion is a test with its place", async () => {
    const { assertions } = await parts();
    const file = await assertions.file(await opened("small.csp"));
    const items = [...file.children].map(([, item]) => item);
    assert.deepEqual(items.map(({ label }) => label), ["P [T= Q", "Q [T= P", "P :[deadlock free [F]]"]);
    assert.deepEqual(items.map(({ range }) => range?.start.line), [3, 4, 5]);
  }],
  ["all scripts of the folder are found, also those that are not open", async () => {
    const { assertions } = await parts();
    const labels = (await assertions.all()).map(({ label }) => label).sort();
    assert.deepEqual(labels, ["another.cspm", "hanoi.csp", "long.csp", "other.fdr", "part.csp", "philosophers.csp", "small.csp", "tickets.csp", "whole.csp", "wrong.csp"]);
  }],
  ["a script is decided as a whole", async () => {
    const { assertions } = await parts();
    const file = (await assertions.all()).find(({ label }) => label === "philosophers.csp");
    assert.ok(file);
    const reports = await assertions.runner.run(new TestRunRequest([file]));
    assert.deepEqual(reports.map(({ verdict }) => verdict), ["pass", "pass", "fail", "pass", "fail", "pass", "pass", "fail", "pass"]);
    const [, , third] = reports;
    assert.ok(third);
    assert.equal(verdict(third), "assert SPEC [T= PLAIN: fails");
    assert.match(details(third), /^After <sit\.0.*\n  1 {2}sit\.0\n/);
  }],
  ["a lens decides, and its verdict is a message", async () => {
    const { assertions } = await parts();
    const { uri } = (await shown("small.csp")).document;
    await assertions.file(await opened("small.csp"));
    const report = await commands.executeCommand<{ verdict: string }>("cspsym.check", uri.toString(), 1);
    assert.equal(report.verdict, "fail");
    await until(() => languages.getDiagnostics(uri).find(({ message }) => message.includes("b.0")));
  }],
  ["an assertion in an included file is one of the script", async () => {
    const { assertions } = await parts();
    await shown("whole.csp");
    const file = await assertions.file(await opened("part.csp"));
    const [item] = [...file.children].map(([, child]) => child);
    assert.ok(item);
    assert.equal((await assertions.runner.one(item))?.verdict, "pass");
  }],
  ["a check that is cancelled ends, and the next one starts", async () => {
    const { assertions, server } = await parts();
    const file = await assertions.file(await opened("long.csp"));
    const source = new CancellationTokenSource();
    const begun = new Promise<void>((resolve) => { const heard = server.onWork((work) => { if (work) { heard.dispose(); resolve(); } }); });
    const running = assertions.runner.run(new TestRunRequest([file]), source.token);
    await begun;
    source.cancel();
    assert.deepEqual(await running, []);
    const small = await assertions.file(await opened("small.csp"));
    assert.equal((await assertions.runner.run(new TestRunRequest([small]))).length, 3);
  }],
  ["an edit ends a check, and moves its test", async () => {
    const { assertions, server } = await parts();
    const document = (await shown("long.csp")).document;
    const file = await assertions.file(document);
    const [first] = [...file.children].map(([, item]) => item);
    assert.ok(first);
    const begun = new Promise<void>((resolve) => { const heard = server.onWork((work) => { if (work) { heard.dispose(); resolve(); } }); });
    const running = assertions.runner.one(first);
    await begun;
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, new Position(0, 0), "-- a comment\n");
    await workspace.applyEdit(edit);
    assert.equal(await running, undefined);
    await until(() => first.range?.start.line === 4);
    await commands.executeCommand("workbench.action.files.revert");
  }],
  ["a limit leaves an assertion undecided", async () => {
    await withSetting("maxStates", 3, async () => {
      const { assertions } = await parts();
      const file = await assertions.file(await opened("hanoi.csp"));
      const reports = await assertions.runner.run(new TestRunRequest([file]));
      assert.equal(reports[0]?.verdict, "unknown");
      assert.match(reports[0].message ?? "", /maxStates/);
    });
  }],
  ["all of one script by the palette", async () => {
    await shown("small.csp");
    await commands.executeCommand("cspsym.checkAll");
    assert.equal(uriOf("small.csp").scheme, "file");
  }],
];
