// The debug adapter, as the protocol's own test client sees it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import support from "@vscode/debugadapter-testsupport";
import { ROOT } from "../grammar/grammar.mjs";
import { PROGRAM, options } from "./program.mjs";

const SCRIPT = join(ROOT, "cspm/philosophers/philosophers.csp");

/** A session with the adapter, which ends with the test. */
async function session(context) {
  const client = new support.DebugClient(PROGRAM, "dap", "cspm");
  await client.start();
  context.after(() => client.stop());
  return client;
}

test("a counterexample is walked to its end and back", options, async (context) => {
  const client = await session(context);
  await Promise.all([
    client.waitForEvent("initialized").then(() => client.configurationDoneRequest()),
    client.launch({ program: SCRIPT, assertion: "PLAIN :[deadlock" }),
    client.waitForEvent("stopped").then(({ body }) => assert.equal(body.reason, "entry")),
  ]);
  const { body } = await client.threadsRequest();
  assert.ok(body.threads.some(({ name }) => name === "FORK(0)"));
  const [, stopped] = await Promise.all([client.continueRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
  assert.equal(stopped.body.reason, "exception");
  assert.match(stopped.body.description, /deadlocked/);
  const frames = await client.stackTraceRequest({ threadId: stopped.body.threadId });
  assert.equal(frames.body.stackFrames[0].source.path, SCRIPT);
  const scopes = await client.scopesRequest({ frameId: frames.body.stackFrames[0].id });
  const component = scopes.body.scopes.find(({ name }) => name === "Component");
  const { body: known } = await client.variablesRequest({ variablesReference: component.variablesReference });
  assert.ok(known.variables.some(({ name }) => name.startsWith("waits to do")));
  const [, back] = await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
  assert.equal(back.body.reason, "entry");
});

test("a breakpoint stops at its event and at its line", options, async (context) => {
  const client = await session(context);
  await Promise.all([
    client.waitForEvent("initialized").then(async () => {
      await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "pick.1" }] });
      await client.configurationDoneRequest();
    }),
    client.launch({ program: SCRIPT, assertion: "PLAIN :[deadlock", stopOnEntry: false }),
    client.waitForEvent("stopped").then(({ body }) => {
      assert.equal(body.reason, "function breakpoint");
      assert.match(body.description, /^pick\.1/);
    }),
  ]);
});

test("what cannot be launched is told", options, async (context) => {
  const client = await session(context);
  await client.initializeRequest();
  await assert.rejects(client.launchRequest({ program: join(ROOT, "cspm/none.csp"), process: "P" }), /none\.csp/);
});
