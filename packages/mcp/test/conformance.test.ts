/** The conformance suite of the protocol against the mount. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createServer, startServer } from '@agentkeep/server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { mcpHandler, mcpMount } from '../src/index.js';
import { fixtureServer } from './fixture-server.js';
import { keepFixture } from './keep-fixture.js';
import { loopback } from './loopback.js';
import { served } from './served.js';

const require = createRequire(import.meta.url);

/** Scenarios that need nothing but a server. */
const ofAnyServer = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
];

/** Scenarios that need a session, or requests from the server, in the revisions of 2025. */
const needSessions = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
  'server-sse-polling',
];

type Outcomes = ReadonlyMap<string, readonly string[]>;

const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js');
const hook = pathToFileURL(fileURLToPath(new URL('conformance-hook.mjs', import.meta.url))).href;

/** Runs the whole suite once, and returns the outcomes of the checks of each scenario. */
async function outcomesAt(url: string): Promise<Outcomes> {
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-mcp-'));
  try {
    const words = [suite, 'server', '--url', url, '--suite', 'all', '--output-dir', folder];
    const child = spawn(process.execPath, ['--import', hook, ...words], { stdio: 'ignore' });
    await once(child, 'close');
    return await outcomesIn(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function outcomesIn(folder: string): Promise<Outcomes> {
  const outcomes = new Map<string, string[]>();
  for (const name of await readdir(folder, { recursive: true })) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[^/]*\/checks\.json$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
      readonly status: string;
    }[];
    outcomes.set(
      scenario,
      checks.map(({ status }) => status),
    );
  }
  return outcomes;
}

const passed = (outcomes: readonly string[] = ['MISSING']): boolean =>
  outcomes.every((status) => ['SUCCESS', 'INFO', 'WARNING', 'SKIPPED'].includes(status));

/** Passes requests on with a proof, because the suite sends none. */
async function withProof(target: string, secret: string) {
  const proxy = createHttpServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${secret}` };
    const { method } = incoming;
    const sent = httpRequest(
      new URL(incoming.url ?? '/', target),
      { method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

describe('embedded', () => {
  test('a server with MCP passes what any server has to', async () => {
    await using server = await served();
    await using proxy = await withProof(server.url, await server.fixture.issue('helper'));
    const outcomes = await outcomesAt(proxy.url);
    expect(ofAnyServer.filter((name) => !passed(outcomes.get(name)))).toEqual([]);
  });

  test('the same HTTP stack with the tools that the suite asks for passes the rest', async () => {
    await using fixture = await keepFixture('embedded');
    const tools = createMcpHandler(fixtureServer);
    const mcp = { ...mcpMount(), answer: (request: Request) => tools.fetch(request) };
    const app = createServer(fixture.keep, { mcp });
    const running = await startServer(app, { host: '127.0.0.1', port: 0, stopGraceMs: 100 });
    try {
      await using proxy = await withProof(running.url, await fixture.issue('helper'));
      const outcomes = await outcomesAt(proxy.url);
      expect(outcomes.size).toBeGreaterThan(30);
      const failed = [...outcomes].filter(([, statuses]) => !passed(statuses));
      expect(failed.map(([name]) => name).filter((name) => !needSessions.includes(name))).toEqual(
        [],
      );
    } finally {
      await running.stop();
    }
  });
});

describe('HTTP', () => {
  test('a handler over remote agents passes what any server has to', async () => {
    await using fixture = await keepFixture('HTTP');
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    await using proxy = await withProof(server.url, await fixture.issue('helper'));
    const outcomes = await outcomesAt(proxy.url);
    expect(ofAnyServer.filter((name) => !passed(outcomes.get(name)))).toEqual([]);
  });
});
