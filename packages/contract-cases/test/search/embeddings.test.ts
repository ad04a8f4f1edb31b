/** Embeddings that are attached to records (docs/contract/search.md#sea-44). */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import {
  record,
  recordOf,
  scope,
  sharedScope,
  ungranted,
  unknownId,
} from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { pageOf, stored } from './search-fixture.js';

const nearest = { order: 'nearest', vector: { values: [1, 0] } };

const distancesOf = async (caller: Caller) =>
  (await pageOf(caller, [scope], nearest)).matches.map(({ distance }) => distance);

const attached = (answer: Answer<'attachEmbeddings'>) =>
  result(answer).outcomes.map(({ is_attached }) => is_attached);

describe('an attached embedding', () => {
  testCase('SEA-C25 belongs to a revision and makes none', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope, record({ tags: ['a'] }));
    const before = result(await agent.read(scope, id));
    const embedded = async (wanted: boolean) => {
      const { matches } = await pageOf(agent, [scope], { filter: { embedded: wanted } });
      return matches.length;
    };
    expect([await embedded(true), await embedded(false)]).toEqual([0, 1]);
    t.clock.advance(1_000);
    expect(attached(await agent.attach(scope, [[id, 1, [1, 0.5]]]))).toEqual([true]);
    expect(attached(await agent.attach(scope, [[id, 1, [1, 0]]]))).toEqual([true]);
    expect([await embedded(true), await embedded(false)]).toEqual([1, 0]);
    expect(await distancesOf(agent)).toEqual([0]);
    expect(result(await agent.read(scope, id))).toEqual(before);
    expect(result(await agent.revisions(scope, id)).page.items.length).toBe(1);
    const { page } = result(await agent.changes());
    expect(page.changes.length).toBe(1);

    // The writer knows revision 1, and no other one.
    result(await agent.update(scope, [id, 1], record({ tags: ['b'] })));
    expect([await embedded(true), await embedded(false)]).toEqual([0, 1]);
    result(await agent.restore(scope, id, 1, 2));
    expect(await distancesOf(agent)).toEqual([0]);
    result(await agent.delete(scope, [id, 3]));
    expect([await embedded(true), await embedded(false)]).toEqual([0, 0]);
    expect(attached(await agent.attach(scope, [[id, 4, [1, 0]]]))).toEqual([false]);
  });

  testCase('SEA-C26 needs the current revision, the scope and the right', async (t) => {
    const agent = await t.agent();
    const own = recordOf({ embedding: [0, 1] });
    const [old, gone, ours] = await stored(agent, [record({}), record({}), own]);
    result(await agent.update(scope, [old, 1], record({})));
    result(await agent.delete(scope, [gone, 1]));
    const shared = await agent.created(sharedScope);
    const values = [1, 0];
    const answer = await agent.attach(scope, [
      ...([old, gone, ours, shared, unknownId] as const).map((id) => [id, 1, values] as const),
    ]);
    expect(attached(answer)).toEqual([false, false, false, false, false]);
    const empty = await agent.created(scope, recordOf({ embedding: [] }));
    expect(attached(await agent.attach(scope, [[empty, 1, values]]))).toEqual([true]);
    expect(await distancesOf(agent)).toEqual([0, 1]);

    const faults: Members[] = [
      { embeddings: [] },
      { embeddings: Array(65).fill({ record_id: unknownId, revision: 1, values }) },
      { embeddings: [{ record_id: unknownId, revision: 1, values: [] }] },
      { embeddings: [{ record_id: unknownId, revision: 0, values }] },
      { embeddings: [old, old].map((record_id) => ({ record_id, revision: 2, values })) },
      { embeddings: [{ record_id: old, revision: 2, values: [1e39] }] },
    ];
    for (const members of faults) {
      const document = { contract_version: 1, scope, ...members };
      const faulty = await agent.call('attachEmbeddings', { document });
      expect(outcome(faulty), JSON.stringify(members).slice(0, 80)).toBe(refused.invalid);
    }
    const reader = await t.agent({ capabilities: ['memory_read'] });
    expect(outcome(await reader.attach(scope, [[old, 2, values]]))).toBe(refused.forbidden);
    expect(outcome(await agent.attach(ungranted, [[old, 2, values]]))).toBe(refused.forbidden);
  });
});
