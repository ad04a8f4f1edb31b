/** The flat tools: a text is remembered, and recalled by a question. */
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { connectClient, type TestClient } from './clients.js';
import { keepFixture, type Way, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

async function withClient(way: Way, run: (client: TestClient) => Promise<void>): Promise<void> {
  await using fixture = await keepFixture(way);
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  await using server = await loopback(fetch);
  const secret = await fixture.issue('helper');
  await using client = await connectClient('v2 pinned', { url: `${server.url}/mcp`, secret });
  await run(client);
}

/** Returns the texts that answer a question. */
async function recalled(client: TestClient, given: Record<string, unknown>): Promise<string[]> {
  const { structuredContent } = await client.call('memory_recall', given);
  const { memories } = structuredContent as { readonly memories: readonly { text: string }[] };
  return memories.map(({ text }) => text);
}

describe.each(ways)('%s', (way) => {
  test('MCP-20 a text is remembered and recalled without naming a scope', () =>
    withClient(way, async (client) => {
      const tagged = { tags: ['preference'], metadata: { source: 'chat' } };
      const first = { text: 'Ann prefers long answers.', name: 'ann/style' };
      await client.call('memory_remember', first);
      const told = { ...first, text: 'Ann prefers short answers.', ...tagged };
      const { structuredContent: stored } = await client.call('memory_remember', told);
      expect(stored).toMatchObject({ receipt: { action: 'updated', revision: 2 } });
      await client.call('memory_remember', { text: 'Bob likes tea.' });
      const found = await client.call('memory_recall', { question: 'How should I answer Ann?' });
      expect(found.structuredContent).toEqual({
        memories: [
          {
            ...told,
            event_time_millis: expect.any(Number) as number,
            record_id: expect.any(String) as string,
            revision: 2,
            words: ['answer', 'Ann'],
          },
        ],
      });
      expect(JSON.parse(found.content[0]?.text ?? '')).toEqual(found.structuredContent);
    }));

  test('MCP-20 what is recalled is bounded in number and in bytes of text', () =>
    withClient(way, async (client) => {
      for (const text of ['tea with milk', 'tea']) await client.call('memory_remember', { text });
      const question = 'tea';
      expect(await recalled(client, { question })).toHaveLength(2);
      expect(await recalled(client, { question, limit: 1 })).toHaveLength(1);
      expect(await recalled(client, { question, bytes: 5 })).toEqual(['tea']);
      expect(await recalled(client, { question, limit: null, bytes: null })).toHaveLength(2);
    }));

  test('MCP-14 remembering twice with a key stores once', () =>
    withClient(way, async (client) => {
      const given = { text: 'tea', idempotency_key: 'k' };
      const first = await client.call('memory_remember', given);
      const meta = { 'agentkeep/idempotency-key': 'k' };
      const again = await client.call('memory_remember', { text: 'tea' }, meta);
      expect(again.structuredContent).toEqual(first.structuredContent);
      expect(await recalled(client, { question: 'tea' })).toEqual(['tea']);
    }));

  test('MCP-12 a record needs no time and no type, and commands of a batch no scope', () =>
    withClient(way, async (client) => {
      const record = { content: { primary: 'Tea.' } };
      const put = await client.call('memory_put', { name: 'drink', record });
      expect(put.structuredContent).toMatchObject({ receipt: { action: 'created' } });
      const commands = [
        { type: 'remove', name: 'drink' },
        { type: 'create', record },
      ];
      const batch = await client.call('memory_batch', { commands });
      expect(batch.structuredContent).toMatchObject({
        receipt: { outcomes: [{ action: 'deleted' }, { action: 'created' }] },
      });
    }));
});
