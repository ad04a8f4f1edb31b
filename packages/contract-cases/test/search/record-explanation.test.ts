/** Why a record matches, or why not (docs/contract/search.md#sea-52). */
import { describe, expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { record, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pageOf, stored } from './search-fixture.js';

const turn = (primary: string, at: number, embedding: readonly number[] | null = null) =>
  record({ content: { primary, embedding }, event_time_millis: at, tags: ['a'] });

async function explained(agent: Caller, recordId: string | undefined, members: Members = {}) {
  const asked = { explain_record: recordId, ...members };
  return (await pageOf(agent, [scope], asked)).record_explanation!;
}

describe('the explanation of a record', () => {
  testCase('SEA-C33 SEA-52 says which conditions hold, and which terms it has', async (t) => {
    const agent = await t.agent();
    const [tea, milk, gone] = await stored(agent, [
      turn('Green tea', 1),
      turn('milk', 2),
      turn('tea', 3),
    ]);
    const elsewhere = await agent.created(sharedScope, turn('tea', 4));
    await agent.delete(scope, [gone, 1]);
    const filter = {
      words: { text: 'tea GREEN "rum cake"', match: 'any' },
      tags: { all: ['a'] },
      members: [
        { of: 'metadata', path: ['x'], exists: false },
        { of: 'data', path: ['y'], exists: true },
      ],
    };
    const conditions = [
      { path: 'expired', holds: true },
      { path: 'tags', holds: true },
      { path: 'members[0]', holds: true },
      { path: 'members[1]', holds: false },
      { path: 'words', holds: true },
    ];
    const found = await explained(agent, tea?.toUpperCase(), { filter });
    const shown = { ...scope, mission_id: null };
    expect(found).toEqual({
      ...{ record_id: tea, scope: shown, matches: false, conditions },
      ...{ terms_found: ['tea', 'GREEN'], place: null },
    });
    const other = await explained(agent, milk, { filter: { words: { text: 'tea' } } });
    expect(other).toMatchObject({ matches: false, terms_found: [], place: null });
    expect(other.conditions.at(-1)).toEqual({ path: 'words', holds: false });
    const none = { scope: null, matches: false, conditions: [], terms_found: [], place: null };
    for (const id of [gone!, elsewhere, '00000000-0000-4000-8000-000000000000']) {
      expect(await explained(agent, id, { filter })).toEqual({ record_id: id, ...none });
    }
    const counted = await agent.search([scope], { explain_record: tea, counts: {} });
    expect([outcome(counted), named(counted)]).toEqual([refused.invalid, ['explain_record']]);
  });

  testCase('SEA-C33 SEA-53 says at which place it comes in each order', async (t) => {
    const agent = await t.agent();
    await stored(agent, [
      turn('tea', 3, [1, 0]),
      turn('green tea', 1, [0, 1]),
      turn('tea and rum', 2),
      turn('water', 4, [1, 1]),
    ]);
    const words = { text: 'rum green tea', match: 'any' };
    const vector = { values: [1, 0.5] };
    const searches: readonly Members[] = [
      {},
      { order: 'oldest', filter: { tags: { all: ['a'] } } },
      { order: 'newest_event' },
      { order: 'oldest_event' },
      { order: 'newest_change' },
      { order: 'most_words', filter: { words } },
      { order: 'rarest_words', filter: { words } },
      { order: 'nearest', vector },
      { order: 'hybrid', vector, words, highlights: true },
    ];
    const all = (await pageOf(agent, [scope])).matches.map(
      ({ record: { record_id } }) => record_id,
    );
    for (const members of searches) {
      const { matches } = await pageOf(agent, [scope], members);
      for (const id of all) {
        const place = matches.findIndex(({ record: { record_id } }) => record_id === id);
        const found = await explained(agent, id, { ...members, limit: 1 });
        expect([found.place, found.match]).toEqual(
          place === -1 ? [null, undefined] : [place + 1, matches[place]],
        );
      }
      expect((await explained(agent, all[0], { ...members, scan_limit: 4 })).place).toBe(null);
    }
  });
});
