/**
 * Batches of MCP: each message costs what it costs by itself, and an answer that nobody reads holds
 * the messages behind it back.
 */
import { mcpMount } from '@agentkeep/mcp';
import type { RateLimitPolicy } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { createAll } from '@agentkeep/contract-cases/caller';
import { recordOf, scope } from '@agentkeep/contract-cases/documents';
import { answersTo, opened, type RawServer, rawServer } from './raw-server.js';

/** Records of 62 KB: 70 of them are more than a page holds. */
const large = Array.from({ length: 70 }, () => recordOf({ secondary: 'x'.repeat(62_000) }));
const list = { method: 'tools/list' };
const search = {
  method: 'tools/call',
  params: { name: 'memory_search', arguments: { scopes: [scope], limit: 100 } },
};

/** Returns a batch of a message, many times. */
function batchOf(message: object, count = 100): object[] {
  return Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, ...message }));
}

/** Returns the bytes of a request for MCP. */
function requestOf(token: string, document: unknown, headers: readonly string[] = []): string {
  const body = JSON.stringify(document);
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Serves MCP, and counts the messages that were begun. */
async function served(
  policy?: RateLimitPolicy,
): Promise<RawServer & { readonly begun: () => number }> {
  const mount = mcpMount();
  let begun = 0;
  const answer: typeof mount.answer = (request, agent, admit) =>
    mount.answer(request, agent, async () => {
      await admit?.();
      begun += 1;
    });
  const limits = policy === undefined ? {} : { rateLimitPolicies: [policy] };
  const at = await rawServer({ stopGraceMs: 200 }, { mcp: { ...mount, answer }, ...limits });
  return { ...at, begun: () => begun };
}

const half: RateLimitPolicy = {
  ...{ id: 'mcp', name: 'MCP', endpointType: { Custom: '/mcp' }, enabled: true },
  ...{ maxRequests: 50, windowSecs: 86_400 },
  ...{ createdAtMillis: 0, updatedAtMillis: 0, createdBy: 'system' },
};

test.each([
  ['', []],
  [' that claims to be a subscription', ['Mcp-Method: subscriptions/listen']],
] as const)('MCP-C6 each message of a batch%s counts under the rate limits', async (_, headers) => {
  await using at = await served(half);
  const ask = async (document: unknown): Promise<string> => {
    const answers = requestOf(at.t.admin.token, document, [...headers, 'Connection: close']);
    const socket = await opened(at.server);
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
    socket.write(answers);
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  };
  const text = await ask(batchOf({ method: 'ping' }));
  expect(text.match(/"result":/g)).toHaveLength(50);
  expect(text.match(/rate_limit_exceeded: /g)).toHaveLength(50);
  expect(at.begun()).toBe(50);
  expect(await ask(batchOf({ method: 'ping' }))).toMatch(/^HTTP\/1\.1 429 /);
});

test('MCP-C6 a batch that is too long, empty or of another revision is refused', async () => {
  await using at = await served();
  const statusOf = async (document: unknown, headers: readonly string[] = []): Promise<number> => {
    const sent = requestOf(at.t.admin.token, document, [...headers, 'Connection: close']);
    const [answer] = await answersTo(at.server, sent);
    return answer?.status ?? 0;
  };
  const revision = (name: string): readonly string[] => [`MCP-Protocol-Version: ${name}`];
  const initialize = { method: 'initialize', params: { protocolVersion: '2025-03-26' } };
  expect(await statusOf(batchOf(list, 101))).toBe(400);
  expect(await statusOf([])).toBe(400);
  expect(await statusOf(batchOf({ result: 'no message' }))).toBe(400);
  expect(await statusOf([...batchOf(list, 1), { jsonrpc: '2.0', id: 9, ...initialize }])).toBe(400);
  for (const name of ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28']) {
    expect(await statusOf(batchOf(list, 1), revision(name)), name).toBe(400);
  }
  expect(at.begun()).toBe(0);
  expect(await statusOf(batchOf({ method: 'notifications/initialized' }, 3).map(withoutId))).toBe(
    202,
  );
});

function withoutId(message: object): object {
  return { ...message, id: undefined };
}

test('MCP-19, LOA-3 batches of searches that nobody reads hold one answer each', async () => {
  await using at = await served();
  const agent = await at.t.agent();
  await createAll(agent, large);
  const deaf = await Promise.all([opened(at.server), opened(at.server)]);
  for (const socket of deaf) socket.pause().write(requestOf(agent.token, batchOf(search)));
  const { unread } = at.t.keep.heavyWork;
  await eventually(() => {
    // Both connections: an answer has the page as a text and as a document.
    expect(unread.bytes).toBeGreaterThan(8_000_000);
  });
  const foreign = await at.t.foreignAdmin();
  const path = `${at.server.url}/api/v1/credentials?contract_version=1`;
  // Heavy calls of tenants take turns, so the batches could have gone on as often.
  for (let call = 0; call < 50; call += 1) {
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${foreign.token}` } });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(unread.bytes).toBeLessThan(30_000_000);
  // The operating system takes some answers, at most.
  expect(at.begun()).toBeLessThan(20);
  for (const socket of deaf) socket.destroy();
  await eventually(() => {
    expect(unread.bytes).toBe(0);
  });
});

test('MCP-19, LOA-4 other requests go on between the messages of batches', async () => {
  await using at = await served();
  const agent = await at.t.agent();
  const batches = await Promise.all(Array.from({ length: 10 }, () => opened(at.server)));
  for (const socket of batches) socket.resume().write(requestOf(agent.token, batchOf(list, 20)));
  const headers = { Authorization: `Bearer ${(await at.t.foreignAdmin()).token}` };
  let answered = 0;
  while (at.begun() < 200) {
    const answer = await fetch(`${at.server.url}/api/v1/identity`, { headers });
    expect(answer.status).toBe(200);
    await answer.text();
    answered += 1;
  }
  // One message for each turn of the event loop; a request takes a few turns.
  expect(answered).toBeGreaterThan(10);
  for (const socket of batches) socket.destroy();
});

test('a server stops beside batches that nobody reads', async () => {
  const at = await served();
  const agent = await at.t.agent();
  await createAll(agent, large);
  const deaf = await Promise.all([opened(at.server), opened(at.server)]);
  for (const socket of deaf) socket.pause().write(requestOf(agent.token, batchOf(search)));
  await eventually(() => {
    expect(at.t.keep.heavyWork.unread.bytes).toBeGreaterThan(0);
  });
  await at[Symbol.asyncDispose]();
  await eventually(() => {
    expect(at.t.keep.heavyWork.unread.bytes).toBe(0);
  });
  for (const socket of deaf) socket.destroy();
});
