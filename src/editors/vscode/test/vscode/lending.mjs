#!/usr/bin/env node
// Stands in for a program that lends its pages to panels: cspsym itself, with that announced, and with
// headers on its pages that let an editor on this machine frame them.
import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import rpc from "vscode-jsonrpc/node";

const child = spawn(process.env.CSPSYM, process.argv.slice(2), { stdio: ["pipe", process.argv[2] === "lsp" ? "pipe" : "inherit", "inherit"] });
child.on("exit", (status) => process.exit(status ?? 1));
if (process.argv[2] === "lsp") talk();

function talk() {
  process.stdin.pipe(child.stdin);
  const [reader, writer] = [new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(process.stdout)];
  reader.listen(async (message) => {
    if (message.result?.capabilities) message.result.capabilities.experimental = { cspsym: { framed: true } };
    if (message.method === "window/showDocument") message.params.uri = await lent(message.params.uri);
    await writer.write(message);
  });
}

const lenders = new Map();

/** The address where the page is served with other headers. */
async function lent(address) {
  const page = new URL(address);
  const known = lenders.get(page.host) ?? createServer((question, answer) => {
    const headers = { ...question.headers, host: page.host };
    if (headers.origin) headers.origin = page.origin;
    const passed = request({ host: page.hostname, port: page.port, path: question.url, method: question.method, headers }, (said) => {
      const policy = said.headers["content-security-policy"]?.replace("frame-ancestors 'none'", "frame-ancestors http://127.0.0.1:*");
      const { "x-frame-options": _, ...rest } = said.headers;
      answer.writeHead(said.statusCode, { ...rest, "content-security-policy": policy });
      said.pipe(answer);
    });
    question.pipe(passed);
  });
  if (!lenders.has(page.host)) await new Promise((resolve) => known.listen(0, "127.0.0.1", resolve));
  lenders.set(page.host, known);
  const lending = new URL(address);
  lending.port = String(known.address().port);
  // A name that editors in a browser do not take for a port of another machine.
  lending.hostname = "pages.localhost";
  return lending.href;
}
