/** The profile graph in a scope that requires review (docs/contract/mcp.md#mcp-15). */
import { expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import { connectClient } from './clients.js';
import { keepFixture, scope, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

test.each(ways)('MCP-15, REV-20 changes wait, and are proposed once (%s)', async (way) => {
  await using fixture = await keepFixture(way);
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  await using server = await loopback(fetch);
  const admin = await fixture.authenticate(await fixture.issue('ops'));
  const rita = await fixture.authenticate(
    await fixture.issue('rita', [scope], ['memory_read', 'memory_review']),
  );
  const secret = await fixture.issue('paul', [scope], ['memory_read', 'memory_write']);
  const url = `${server.url}/mcp?profile=graph&project_id=p&agent_id=a&visibility=shared`;
  await using paul = await connectClient('v2 pinned', { url, secret });
  const ann = { name: 'Ann', entityType: 'person', observations: ['Likes tea.'] };
  const bob = { name: 'Bob', entityType: 'person', observations: [] };
  const create = (...entities: object[]) => paul.call('create_entities', { entities });
  const waiting = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of rita.proposals.list({ scope })) ids.push(id);
    return ids;
  };
  const accept = async (): Promise<void> => {
    for (const id of await waiting()) {
      const { digest } = await rita.branches.diffPage(id);
      expect(await rita.branches.merge(id, { digest })).toMatchObject({ state: 'merged' });
    }
  };
  expect((await create(ann)).structuredContent).toEqual({ entities: [ann] });
  await admin.retention.set({ scope, expectedRevision: 0, review: 'required' }, {});

  const says = expect.stringContaining('waits for review') as string;
  const first = await create(ann, bob);
  expect(first.structuredContent).toEqual({ note: says, entities: [bob] });
  expect(JSON.stringify(first.content)).toContain('waits for review');
  expect((await create(bob)).structuredContent).toEqual({ note: says, entities: [bob] });
  expect(await waiting()).toHaveLength(1);
  await accept();
  expect((await create(ann, bob)).structuredContent).toEqual({ entities: [] });

  const observations = [{ entityName: 'Ann', contents: ['Works at noon.'] }];
  const added = { results: [{ entityName: 'Ann', addedObservations: ['Works at noon.'] }] };
  for (let call = 0; call < 2; call += 1) {
    const answer = await paul.call('add_observations', { observations });
    expect(answer.structuredContent).toEqual({ note: says, ...added });
    const removal = await paul.call('delete_entities', { entityNames: ['Bob'] });
    expect(removal.structuredContent).toEqual({ success: false, message: says });
  }
  expect(await waiting()).toHaveLength(2);
  await accept();
  const graph = await paul.call('read_graph', {});
  expect(graph.structuredContent).toEqual({
    entities: [{ ...ann, observations: ['Likes tea.', 'Works at noon.'] }],
    relations: [],
  });
  // The same change again, once the first one is memory and was undone, is another one.
  expect((await create(bob)).structuredContent).toEqual({ note: says, entities: [bob] });
  expect(await waiting()).toHaveLength(1);
});
