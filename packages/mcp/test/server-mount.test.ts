/** MCP as a part of a server: proofs, hosts, origins and limits (docs/contract/mcp.md). */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { RateLimitPolicy } from '@agentkeep/core/operator';
import { createServer } from '@agentkeep/server';
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { clientKinds, connectClient } from './clients.js';
import { keepFixture, scope } from './keep-fixture.js';
import { served, type Served } from './served.js';

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  },
});

const jsonHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Posts to MCP; the headers replace those of an ordinary request. */
function post(
  { url }: Served,
  headers: Readonly<Record<string, string>>,
  body: string = initialize,
): Promise<Response> {
  return fetch(`${url}/mcp`, { method: 'POST', headers: { ...jsonHeaders, ...headers }, body });
}

/** Posts to MCP with a `Host` of its own, which `fetch` doesn't allow. */
async function statusAtHost({ url }: Served, headers: Record<string, string>): Promise<number> {
  const sent = request(`${url}/mcp`, { method: 'POST', headers: { ...jsonHeaders, ...headers } });
  sent.end(initialize);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

test.each(clientKinds)('%s calls a server over HTTP', async (kind) => {
  await using server = await served();
  const secret = await server.fixture.issue('helper');
  await using client = await connectClient(kind, { url: `${server.url}/mcp`, secret });
  const who = await client.call('whoami');
  expect(who.structuredContent).toMatchObject({ credential: { spec: { subject_id: 'helper' } } });
});

describe('a proof', () => {
  test('MCP-C2 is read from each request, and a client without one is sent to no authorization server', async () => {
    await using server = await served();
    const without = await post(server, {});
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toBe('Bearer');
    const wrong = await post(server, bearer('ak1_wrong'));
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    for (const path of ['', '/mcp']) {
      const metadata = `${server.url}/.well-known/oauth-protected-resource${path}`;
      expect((await fetch(metadata)).status).toBe(404);
    }
  });

  test('MCP-C2 is asked for by a handler as by a server', async () => {
    await using fixture = await keepFixture('embedded');
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    const challenged = async (headers: Record<string, string>): Promise<string | null> => {
      const sent = new Request('http://localhost/mcp', { method: 'POST', headers });
      return (await fetch(sent)).headers.get('www-authenticate');
    };
    expect(await challenged({})).toBe('Bearer');
    expect(await challenged(bearer('ak1_wrong'))).toBe('Bearer error="invalid_token"');
  });

  test('MCP-C2 ends with its credential', async () => {
    await using server = await served();
    const secret = await server.fixture.issue('helper');
    expect((await post(server, bearer(secret))).status).toBe(200);
    await server.fixture.revoke(secret);
    expect((await post(server, bearer(secret))).status).toBe(401);
  });

  test('MCP-C2 of the installation is none', async () => {
    await using server = await served();
    const { bootstrapMaster } = await import('@agentkeep/core/operator');
    const { secret } = await bootstrapMaster(server.fixture.keep, 'root');
    expect((await post(server, bearer(secret))).status).toBe(401);
  });
});

describe('a request', () => {
  test('MCP-C3 names a local host or that of the public URL', async () => {
    await using server = await served({ url: 'https://keep.example.com/mcp' });
    const proof = bearer(await server.fixture.issue('helper'));
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await post(server, { ...proof, ...headers })).status;
    expect(await statusOf({ Origin: 'http://localhost:3000' })).toBe(200);
    expect(await statusOf({ Origin: 'https://keep.example.com' })).toBe(200);
    expect(await statusOf({ Origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ Origin: 'null' })).toBe(403);
    const named = (host: string) => statusAtHost(server, { ...proof, Host: host });
    expect(await named('keep.example.com')).toBe(200);
    expect(await named('localhost:1')).toBe(200);
    expect(await named('evil.example')).toBe(403);
    expect(await named('localhost.evil.example')).toBe(403);
  });

  test('MCP-C5 is bounded', async () => {
    await using server = await served();
    const proof = bearer(await server.fixture.issue('helper'));
    expect((await post(server, proof, ' '.repeat(2_097_153))).status).toBe(413);
  });

  test('MCP-C5 with an unknown setting in its URL is refused', async () => {
    await using server = await served();
    const headers = { ...jsonHeaders, ...bearer(await server.fixture.issue('helper')) };
    for (const query of ['profil=graph', 'profile=graph', 'profile=x', 'project_id=p']) {
      const url = `${server.url}/mcp?${query}`;
      const answer = await fetch(url, { method: 'POST', headers, body: initialize });
      expect(answer.status).toBe(400);
    }
  });

  test('MCP-C1 gets 404 without the option; with it, what is no message gets 405', async () => {
    await using server = await served();
    const headers = { ...jsonHeaders, ...bearer(await server.fixture.issue('helper')) };
    const plain = createServer(server.fixture.keep);
    const off = await plain.request('/mcp', { headers });
    expect([off.status, await off.text()]).toEqual([404, expect.stringContaining('--mcp true')]);
    const statusOf = async (method: string): Promise<number> =>
      (await fetch(`${server.url}/mcp`, { method, headers })).status;
    expect(await statusOf('GET')).toBe(405);
    expect(await statusOf('DELETE')).toBe(405);
    expect(await statusOf('PUT')).toBe(405);
  });
});

test('MCP-C4 every request counts under the rate limits, and so does every further operation', async () => {
  const policy: RateLimitPolicy = {
    ...{ id: 'mcp', name: 'MCP', endpointType: { Custom: '/mcp' }, enabled: true },
    ...{ maxRequests: 3, windowSecs: 86_400 },
    ...{ createdAtMillis: 0, updatedAtMillis: 0, createdBy: 'system' },
  };
  await using server = await served({}, { rateLimitPolicies: [policy] });
  const secret = await server.fixture.issue('helper');
  const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'whoami', arguments: {} } };
  const calls = [1, 2, 3, 4].map((id) => ({ ...call, id }));
  const answer = await post(server, bearer(secret), JSON.stringify(calls));
  expect(answer.status).toBe(200);
  expect((await answer.text()).match(/rate_limit_exceeded: /g)).toHaveLength(1);
  const next = await post(server, bearer(secret));
  expect(next.status).toBe(429);
  expect(next.headers.has('retry-after')).toBe(true);
});

test('a connection with a scope in its URL need not name one', async () => {
  await using server = await served();
  const secret = await server.fixture.issue('helper');
  const { project_id: project, agent_id: agent, visibility } = scope;
  const query = new URLSearchParams({ project_id: project, agent_id: agent, visibility });
  const url = `${server.url}/mcp?${query.toString()}`;
  await using client = await connectClient('v2 pinned', { url, secret });
  const tool = (await client.tools()).find(({ name }) => name === 'memory_get');
  expect(tool?.inputSchema['properties']).not.toHaveProperty('scope');
  const found = await client.call('memory_get', { name: 'ann' });
  expect(found.structuredContent).toEqual({ record: null });
});
