/** Clients subscribe to scopes and records, and learn of what is committed afterwards. */
import type { Client as V2Client } from '@modelcontextprotocol/client';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ScopeInput } from '@agentkeep/core';
import { eventually } from '@agentkeep/testkit/eventually';
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { clientV2 } from './clients.js';
import { type KeepFixture, keepFixture, scope, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';
import { served, stdioProgram } from './served.js';

const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'Tea.' },
  event_time_millis: 0,
};
const scopeUri = 'agentkeep://scope/p/a/shared';
const hidden: ScopeInput = { project_id: 'hidden', agent_id: 'a', visibility: 'shared' };

/** Connects a client of the newest revision over HTTP. */
async function listener(
  url: string,
  secret: string,
  send: typeof fetch = fetch,
): Promise<{ client: V2Client; heard: string[] }> {
  const client = clientV2('v2 pinned');
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  const headers = { Authorization: `Bearer ${secret}` };
  const transport = new v2.StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
    fetch: send,
  });
  await client.connect(transport);
  return { client, heard };
}

async function writeAs({ keep }: KeepFixture, secret: string, of: ScopeInput): Promise<string> {
  const agent = await keep.authenticate(secret);
  return (await agent.memory.in(of).create(record)).record_id;
}

describe.each(ways)('%s', (way) => {
  test('MCP-16 a stream tells of changes that the caller may see, and of no others', async () => {
    await using fixture = await keepFixture(way);
    const { fetch, close } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    const secret = await fixture.issue('helper');
    const { client, heard } = await listener(server.url, secret);
    const uris = [scopeUri, 'agentkeep://scope/hidden/a/shared'];
    const stream = await client.listen({ resourceSubscriptions: uris });
    await writeAs(fixture, await fixture.issue('other', [hidden]), hidden);
    await writeAs(fixture, secret, scope);
    await eventually(() => {
      expect(heard).toEqual([scopeUri]);
    });
    close();
    expect(await stream.closed).toBe('graceful');
    await client.close();
  });

  test('MCP-16 a stream ends with the credential', async () => {
    await using fixture = await keepFixture(way);
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    const secret = await fixture.issue('helper');
    const { client } = await listener(server.url, secret);
    const stream = await client.listen({ resourceSubscriptions: [scopeUri] });
    await fixture.revoke(secret);
    // The feed proves its caller again with the next change.
    await writeAs(fixture, await fixture.issue('other'), scope);
    expect(await stream.closed).toBe('graceful');
    await client.close();
  });

  test('MCP-16, DLG-20 a stream ends, and calls are refused, while the agent is paused', async () => {
    await using fixture = await keepFixture(way);
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
    await using server = await loopback(fetch);
    const secret = await fixture.issue('helper');
    const { client } = await listener(server.url, secret);
    const stream = await client.listen({ resourceSubscriptions: [scopeUri] });
    await fixture.pause('helper', true);
    // The feed proves its caller again with the next change.
    await writeAs(fixture, await fixture.issue('other'), scope);
    expect(await stream.closed).toBe('graceful');
    await expect(client.listTools()).rejects.toThrow();
    await expect(listener(server.url, secret)).rejects.toThrow();
    await fixture.pause('helper', false);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });

  test('streams are bounded for each caller and tenant, and a place is free after its end', async () => {
    await using fixture = await keepFixture(way);
    const bounds = { subscriptionsPerCaller: 1, subscriptionsPerTenant: 2 };
    const { fetch } = mcpHandler({ authenticate: fixture.authenticate, ...bounds });
    await using server = await loopback(fetch);
    const filter = { resourceSubscriptions: [scopeUri] };
    const { client } = await listener(server.url, await fixture.issue('helper'));
    const first = await client.listen(filter);
    await expect(client.listen(filter)).rejects.toThrow('limit reached');
    const other = await listener(server.url, await fixture.issue('other'));
    const second = await other.client.listen(filter);
    const third = await listener(server.url, await fixture.issue('third'));
    await expect(third.client.listen(filter)).rejects.toThrow('limit reached');
    await third.client.close();
    await second.close();
    await first.close();
    await eventually(async () => {
      await (await client.listen(filter)).close();
    });
    await client.close();
    await other.client.close();
  });

  test.each(['v2 legacy', 'v2 pinned'] as const)('%s is told over standard input', async (kind) => {
    await using server = await served();
    const target = await stdioProgram(way, server, 'graph');
    if (!('command' in target)) throw new Error('unexpected');
    const [command, ...args] = target.command;
    const client = clientV2(kind);
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    await client.connect(new StdioClientTransport({ command, args, env: target.env }));
    const uri = 'memory://knowledge-graph';
    if (kind === 'v2 legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    const entities = [{ name: 'Ann', entityType: 'person', observations: [] }];
    await client.callTool({ name: 'create_entities', arguments: { entities } });
    await eventually(() => {
      expect(heard).toEqual([uri]);
    });
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain('Ann');
    await client.close();
  });
});

test('OPR-166 a stream of a server ends when the server stops, and says to come again', async () => {
  const server = await served();
  let heard = '';
  const listening: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || answer.body === null) return answer;
    const decoder = new TextDecoder();
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        heard += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(noted), answer);
  };
  const secret = await server.fixture.issue('helper');
  const { client } = await listener(server.url, secret, listening);
  const stream = await client.listen({ resourceSubscriptions: [scopeUri] });
  await server[Symbol.asyncDispose]();
  expect(await stream.closed).toBe('graceful');
  expect(heard).toMatch(/\n\nretry: 1000\n\n$/u);
  await client.close();
});
