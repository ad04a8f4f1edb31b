/** Review in the chat: what hosts of MCP Apps find (docs/contract/mcp.md). */
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { clientKinds, connectClient } from './clients.js';
import { keepFixture, scope, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

const VIEW = 'ui://agentkeep/review';

describe.each(clientKinds)('%s', (kind) => {
  test.each(ways)(
    'MCP-24 a client finds the view by the tool and in the list (%s)',
    async (way) => {
      await using fixture = await keepFixture(way);
      const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
      await using server = await loopback(fetch);
      const url = `${server.url}/mcp`;
      const rita = await fixture.issue('rita', [scope], ['memory_read', 'memory_review']);
      await using client = await connectClient(kind, { url, secret: rita });
      const tools = await client.tools();
      const views = tools.flatMap(({ name, _meta: meta }) =>
        meta === undefined ? [] : [[name, meta]],
      );
      expect(views).toEqual([['memory_review', { ui: { resourceUri: VIEW } }]]);
      const listed = (await client.resources()).find(({ uri }) => uri === VIEW);
      expect(listed).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
      const html = await client.read(VIEW);
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).not.toMatch(/https?:/);
      const paul = await fixture.issue('paul', [scope], ['memory_read', 'memory_propose']);
      await using other = await connectClient(kind, { url, secret: paul });
      expect((await other.resources()).map(({ uri }) => uri)).not.toContain(VIEW);
    },
  );
});

test('MCP-24 a host of the extension is told that the server has it', async () => {
  await using fixture = await keepFixture('embedded');
  const secret = await fixture.issue('rita', [scope], ['memory_read', 'memory_review']);
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  const clientInfo = { name: 'host', version: '1' };
  const ui = { mimeTypes: ['text/html;profile=mcp-app'] };
  const capabilities = { extensions: { 'io.modelcontextprotocol/ui': ui } };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const post = async (query: string): Promise<string> => {
    const headers = {
      Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const url = `http://localhost/mcp${query}`;
    return (await fetch(new Request(url, { method: 'POST', headers, body }))).text();
  };
  const extensions = ['"io.modelcontextprotocol/ui":{}', '"io.modelcontextprotocol/skills":{}'];
  const answer = await post('');
  for (const each of extensions) expect(answer).toContain(each);
  const graph = await post('?project_id=p&agent_id=a&visibility=shared&profile=graph');
  for (const each of extensions) expect(graph).not.toContain(each);
});

test('MCP-24, BRA-22 a digest of something else accepts nothing', async () => {
  await using fixture = await keepFixture('HTTP');
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  await using server = await loopback(fetch);
  const client = (secret: string) =>
    connectClient('v2 pinned', { url: `${server.url}/mcp`, secret });
  await using paul = await client(
    await fixture.issue('paul', [scope], ['memory_read', 'memory_propose']),
  );
  await using rita = await client(
    await fixture.issue('rita', [scope], ['memory_read', 'memory_review']),
  );
  for (const name of ['one', 'two']) {
    const operation = { type: 'put', name, record: { content: { primary: name } } };
    await paul.call('memory_propose', { operation });
  }
  const listed = await rita.call('memory_review', { action: 'list' });
  const { page } = listed.structuredContent as { page: { items: { id: string }[] } };
  const [one, two] = page.items;
  const shown = await rita.call('memory_review', { action: 'show', id: one?.id });
  const { digest } = shown.structuredContent as { digest: string };
  const accepted = await rita.call('memory_review', { action: 'accept', id: two?.id, digest });
  expect(accepted.isError).toBe(true);
  expect(accepted.content[0]?.text).toMatch(/^revision_conflict: .*digest/);
});
