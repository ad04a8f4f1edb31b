/** Tools that propose changes of memory, and review them (docs/contract/review.md). */
import { expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { connectClient } from './clients.js';
import { keepFixture, scope, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

test.each(ways)('MCP-21, REV-1, REV-4 propose, show, accept and reject (%s)', async (way) => {
  await using fixture = await keepFixture(way);
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  await using server = await loopback(fetch);
  const client = (secret: string) =>
    connectClient('v2 pinned', { url: `${server.url}/mcp`, secret });
  const proposer = await fixture.issue('paul', [scope], ['memory_read', 'memory_propose']);
  const reviewer = await fixture.issue('rita', [scope], ['memory_read', 'memory_review']);
  await using paul = await client(proposer);
  await using rita = await client(reviewer);
  const put = (name: string) => ({
    operation: { type: 'put', name, record: { content: { primary: name } } },
    purpose: 'Ann said so.',
  });
  const proposed = await paul.call('memory_propose', put('one'));
  expect(proposed.structuredContent).toMatchObject({
    note: expect.stringContaining('waits for review') as string,
    receipt: { action: 'created', proposal: { state: 'proposed' } },
  });
  await paul.call('memory_propose', put('two'));
  const listed = await rita.call('memory_review', { action: 'list' });
  const { page } = listed.structuredContent as { page: { items: { id: string }[] } };
  const [one, two] = page.items;
  const shown = await rita.call('memory_review', { action: 'show', id: one?.id });
  const { digest } = shown.structuredContent as { digest: string };
  const accepted = await rita.call('memory_review', { action: 'accept', id: one?.id, digest });
  expect(accepted.structuredContent).toMatchObject({ merge: { state: 'merged', merged: 1 } });
  const rejected = await rita.call('memory_review', {
    action: 'reject',
    id: two?.id,
    reason: 'No.',
  });
  expect(rejected.structuredContent).toMatchObject({ proposal: { state: 'rejected' } });
  const got = await paul.call('memory_get', { name: 'one' });
  expect(got.structuredContent).toMatchObject({ record: { merged_by: { subject_id: 'rita' } } });
});
