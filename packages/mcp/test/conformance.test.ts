/** The conformance suite of the protocol against the mount. */
import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, startServer } from '@agentkeep/server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { mcpHandler, mcpMount } from '../src/index.js';
import { failures, type Outcomes, runSuite } from './conformance-suite.js';
import { fixtureServer } from './fixture-server.js';
import { keepFixture } from './keep-fixture.js';
import { loopback } from './loopback.js';
import { served } from './served.js';

/** Scenarios that need nothing but a server. */
const ofAnyServer = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
  'server-stateless',
  'http-header-validation',
  'sep-2164-resource-not-found',
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

/**
 * Scenarios of tools that Agentkeep has none of: they ask the client in the midst of a call, go on
 * after it as tasks, or have an argument that clients repeat in a header.
 */
const needOtherTools = /^(?:input-required-result-|tasks-|http-custom-header-)/;

/** Runs all scenarios of servers, those of the newest revision of the protocol included. */
const outcomesAt = (url: string): Promise<Outcomes> =>
  runSuite(['server', '--url', url, '--suite', 'all']);

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
    expect(ofAnyServer.flatMap((name) => failures(outcomes, name))).toEqual([]);
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
      const asked = [...outcomes.keys()].filter(
        (name) => !needSessions.includes(name) && !needOtherTools.test(name),
      );
      expect(asked.flatMap((name) => failures(outcomes, name))).toEqual([]);
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
    expect(ofAnyServer.flatMap((name) => failures(outcomes, name))).toEqual([]);
  });
});
