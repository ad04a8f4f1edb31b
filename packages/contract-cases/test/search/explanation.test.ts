/** What searches took (docs/contract/search.md#sea-38). */
import { describe, expect } from 'vitest';
import type { Members } from '../harness/caller.js';
import { record, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { pageOf, stored } from './search-fixture.js';

describe('a search that explains', () => {
  testCase('SEA-C22 says which path it took and what it examined', async (t) => {
    const agent = await t.agent();
    const content = { primary: 'green tea' };
    await stored(agent, [
      record({ content }),
      record({ content, episode_type: 'Error' }),
      record({ tags: ['a'] }),
    ]);
    const explained = async (members: Members) => {
      const { explanation, ...page } = await pageOf(agent, [scope], { ...members, explain: true });
      expect(await pageOf(agent, [scope], members)).toEqual(page);
      return explanation!;
    };
    const filter = { words: { text: 'tea' }, episode_types: ['Error'] };
    const found = await explained({ filter });
    expect(found).toMatchObject({
      path: 'by_id',
      entry_tests: ['expiry', 'text', 'type'],
      slices: 1,
      entries: 3,
      found_entries: 1,
      records: 1,
      matches: 1,
    });
    expect(found.record_bytes).toBeGreaterThan(0);
    expect(found.cached_entries).toBeLessThanOrEqual(3);
    const took = { entries_micros: 0, records_micros: 0, turns_micros: 0, total_micros: 0 };
    expect(found.took).toEqual(took);

    const ranked = await explained({ order: 'oldest_event', filter: { expired: 'included' } });
    const numbers = { slices: 2, entries: 3, found_entries: 3, records: 6, matches: 6 };
    expect(ranked).toMatchObject({ path: 'by_rank', entry_tests: [], ...numbers });

    const counted = await explained({ counts: {}, filter: { tags: { all: ['a'] } } });
    const tests = ['expiry', 'tags'];
    expect(counted).toMatchObject({ path: 'counted', entry_tests: tests, records: 0, matches: 1 });
  });
});
