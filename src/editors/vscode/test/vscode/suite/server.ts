// The program as a process: found, missing, started anew; its pages and its manual.
import assert from "node:assert/strict";
import { commands, window, workspace, Uri } from "vscode";
import { topics } from "../../../src/manual";
import { output } from "../../../src/program";
import { type Test, opened, parts, shown, until, whole, withSetting } from "./common";

export const tests: Test[] = [
  ["each command is registered once, and again after a restart", async () => {
    const { server } = await parts();
    for (let round = 0; round < 2; round += 1) {
      const names = (await commands.getCommands(true)).filter((name) => name.startsWith("cspsym."));
      for (const wanted of ["check", "cancel", "step", "graph", "checkAll", "explore", "restart", "manual", "install", "sample"]) {
        assert.equal(names.filter((name) => name === `cspsym.${wanted}`).length, 1, wanted);
      }
      await commands.executeCommand("cspsym.restart");
      assert.equal(server.health, "running");
    }
  }],
  ["two restarts at once leave one server", async () => {
    const { server } = await parts();
    await Promise.all([server.restart(), server.restart()]);
    assert.equal(server.health, "running");
    const { uri } = await opened("small.csp");
    assert.equal((await server.lenses(uri)).length, 7);
  }],
  ["a program that is missing is told of, and one that is there is found again", async () => {
    await withSetting("path", "/nowhere/cspsym", async () => {
      const { server } = await whole();
      assert.equal(server.health, "missing");
      assert.ok("problem" in server.found && server.found.problem.includes("/nowhere/cspsym"));
    });
    await withSetting("path", process.execPath, async () => {
      const { server } = await whole();
      assert.ok("problem" in server.found && server.found.problem.includes("is not cspsym"));
    });
    assert.equal((await parts()).server.health, "running");
  }],
  ["the explorer has an address, and is served there", async () => {
    const { uri } = (await shown("small.csp")).document;
    const address = await commands.executeCommand<string>("cspsym.step", uri.toString(), "P");
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\/#tab=walk&process=P$/);
    const answer = await fetch(address);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-security-policy") ?? "", /frame-ancestors/);
  }],
  ["the manual has its chapters", async () => {
    const { server } = await parts();
    assert.ok("program" in server.found);
    const chapters = topics((await output(server.found.program, ["help"])).text);
    assert.ok(chapters.length >= 15 && chapters.some(({ label }) => label === "editors"), JSON.stringify(chapters));
    const chapter = await workspace.openTextDocument(Uri.parse("cspsym-manual:/editors.md"));
    assert.match(chapter.getText(), /^# Editors/);
  }],
  ["the sample opens as a new script", async () => {
    await commands.executeCommand("cspsym.sample");
    const document = window.activeTextEditor?.document;
    assert.equal(document?.languageId, "cspm");
    assert.equal(document.uri.scheme, "untitled");
    const { server } = await parts();
    const lenses = await until(async () => { const found = await server.lenses(document.uri); return found.length > 0 && found; });
    assert.equal(lenses.filter(({ command }) => command?.command === "cspsym.check").length, 3);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }],
];
