/** Memory queries: pages and filters (docs/contract/memory.md#mem-62). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { type Caller, createAll } from '../harness/caller.js';
import { record, recordOf, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { allEntries, entriesMadeBy, overwrite } from '../harness/stored-entries.js';

async function page(caller: Caller, filter?: unknown) {
  return result(await caller.query(scope, filter)).page;
}

const plain = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => recordOf({ primary: `record ${index}` }));

describe('pages', () => {
  testCase('100 records are the default, in order of id', async (t) => {
    const agent = await t.agent();
    const ids = await createAll(agent, plain(101));
    const first = await page(agent);
    expect(first.records.map(({ record_id }) => record_id)).toEqual(ids.slice(0, 100));
    expect(first).toMatchObject({ next_after: ids[99], scanned_records: 100 });
    const rest = await page(agent, { after: first.next_after });
    expect(rest.records.map(({ record_id }) => record_id)).toEqual(ids.slice(100));
    expect(rest).toMatchObject({ next_after: null, scanned_records: 1 });
    expect((await page(agent, { limit: 1_000 })).records).toHaveLength(101);
  });

  testCase('scan_limit bounds the examined records, and the last one is returned', async (t) => {
    const agent = await t.agent();
    const ids = await createAll(agent, [
      recordOf({ primary: 'no' }),
      recordOf({ primary: 'no' }),
      recordOf({ primary: 'yes' }),
      recordOf({ primary: 'no' }),
    ]);
    const ask = (members: Record<string, unknown>) =>
      page(agent, { text_contains: 'yes', ...members });
    expect(await ask({ scan_limit: 2 })).toEqual({
      records: [],
      next_after: ids[1],
      scanned_records: 2,
    });
    const found = await ask({ scan_limit: 2, after: ids[1] });
    expect(found.records.map(({ record_id }) => record_id)).toEqual([ids[2]]);
    expect(found).toMatchObject({ next_after: ids[3], scanned_records: 2 });
    expect(await ask({ scan_limit: 2, after: ids[3] })).toMatchObject({
      next_after: null,
      scanned_records: 0,
    });
    expect(await ask({ scan_limit: 4 })).toMatchObject({ next_after: ids[3], scanned_records: 4 });
    expect(await ask({ scan_limit: 5 })).toMatchObject({ next_after: null, scanned_records: 4 });
    expect(await ask({ limit: 1 })).toMatchObject({ next_after: ids[2], scanned_records: 3 });
    expect(await ask({ limit: 2 })).toMatchObject({ next_after: null, scanned_records: 4 });
  });

  testCase('tombstones and expired records are examined, not returned', async (t) => {
    const agent = await t.agent();
    const [kept, gone] = await createAll(agent, plain(2));
    const ends = await agent.created(scope, record({ valid_until_millis: t.clock.now() + 1 }));
    result(await agent.delete(scope, [gone, 1]));
    expect((await page(agent)).records.map(({ record_id }) => record_id)).toEqual([kept, ends]);
    t.clock.advance(1);
    const { records, ...rest } = await page(agent);
    expect(records.map(({ record_id }) => record_id)).toEqual([kept]);
    expect(rest).toEqual({ next_after: null, scanned_records: 3 });
    expect(await page(agent, { scan_limit: 1, after: kept })).toEqual({
      records: [],
      next_after: gone,
      scanned_records: 1,
    });
  });

  testCase('MEM-70 a traversal is live', async (t) => {
    const agent = await t.agent();
    const ids = await createAll(agent, plain(3));
    const first = await page(agent, { limit: 1 });
    result(await agent.delete(scope, [ids[1], 1]));
    result(await agent.update(scope, [ids[2], 1], recordOf({ primary: 'new' })));
    const [added] = await createAll(agent, plain(1));
    const rest = await page(agent, { after: first.next_after });
    expect(rest.records.map(({ record_id }) => record_id)).toEqual([ids[2], added]);
    expect(rest.records[0]?.payload.content.primary).toBe('new');
    expect(await agent.found(scope, { after: 'ffffffff-ffff-ffff-ffff-ffffffffffff' })).toEqual([]);
    expect(await agent.found(scope, { after: '00000000-0000-0000-0000-000000000000' })).toEqual([
      ids[0],
      ids[2],
      added,
    ]);
  });

  testCase('over 1,000 entries fit one page on request', async (t) => {
    const agent = await t.agent();
    const ids = await createAll(agent, plain(1_001));
    const whole = await page(agent, { text_contains: 'record 1000' });
    expect(whole.records.map(({ record_id }) => record_id)).toEqual([ids[1_000]]);
    expect(whole).toMatchObject({ next_after: null, scanned_records: 1_001 });
    const exact = await page(agent, { limit: 1_000 });
    expect(exact).toMatchObject({ next_after: ids[999], scanned_records: 1_000 });
    expect(exact.records).toHaveLength(1_000);
    const until = await page(agent, { text_contains: 'none', scan_limit: 1_000 });
    expect(until).toEqual({ records: [], next_after: ids[999], scanned_records: 1_000 });
  });
});

describe('filters', () => {
  testCase('MEM-66 members are typed, and unknown ones are refused', async (t) => {
    const agent = await t.agent();
    const [id] = await createAll(agent, [record({ tags: ['a'] })]);
    const good = [
      {
        limit: 1,
        scan_limit: 10_000,
        after: null,
        text_contains: null,
        episode_type: null,
        tag: null,
      },
      { tags: ['a'] },
      { text_contains: '' },
    ];
    for (const filter of good) expect(await agent.found(scope, filter)).toEqual([id]);
    const bad = [
      [],
      'x',
      { limit: -1 },
      { limit: 1.5 },
      { limit: '1' },
      { scan_limit: -1 },
      { scan_limit: 0.5 },
      { after: 'x' },
      { after: '' },
      { text_contains: 1 },
      { episode_type: 'observation' },
      { episode_type: { Custom: 1 } },
      { episode_type: [] },
      { tag: 1 },
      { tag: ['a'] },
      { tags: null },
      { tags: [] },
      { tags: 'a' },
      { tags: [1] },
      { tags: Array.from({ length: 17 }, (_, index) => `${index}`) },
      { sort: 'asc' },
      { since: 0 },
      { mission_id: 'm' },
    ];
    for (const filter of bad) {
      const answer = await agent.query(scope, filter);
      expect(outcome(answer), JSON.stringify(filter)).toBe(refused.invalid);
    }
  });

  testCase('types are exact', async (t) => {
    const agent = await t.agent();
    const types = ['Error', 'Decision', { Custom: 'Error' }, { Custom: '' }, { Custom: 'error' }];
    const ids = await createAll(
      agent,
      types.map((episode_type) => record({ episode_type })),
    );
    for (const [index, episode_type] of types.entries()) {
      expect(await agent.found(scope, { episode_type })).toEqual([ids[index]]);
    }
    expect(await agent.found(scope, { episode_type: { Custom: 'Err' } })).toEqual([]);
  });

  testCase('tags are exact and ANDed', async (t) => {
    const agent = await t.agent();
    const tagSets = [
      [],
      ['a'],
      ['a', 'b'],
      ['ab'],
      ['A'],
      [''],
      ['a b'],
      ['é'],
      ['e\u0301', 'c', 'a'],
    ];
    const ids = await createAll(
      agent,
      tagSets.map((tags) => record({ tags })),
    );
    const expected = (wanted: readonly string[]) =>
      ids.filter((_, index) => wanted.every((tag) => tagSets[index]!.includes(tag)));
    for (const tag of ['a', 'b', 'ab', 'A', '', ' ', 'é', 'e\u0301', 'c', 'none', 'a,b']) {
      expect(await agent.found(scope, { tag }), tag).toEqual(expected([tag]));
      expect(await agent.found(scope, { tags: [tag] }), tag).toEqual(expected([tag]));
    }
    for (const tags of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'a'],
      ['a', 'c'],
      ['a', 'none'],
      ['', 'a'],
    ]) {
      expect(await agent.found(scope, { tags })).toEqual(expected(tags));
    }
    expect(await agent.found(scope, { tag: 'c', tags: ['a'] })).toEqual(expected(['a', 'c']));
    const sixteen = Array.from({ length: 16 }, () => 'a');
    expect(await agent.found(scope, { tags: sixteen })).toEqual(expected(['a']));
  });

  testCase('all members are ANDed', async (t) => {
    const agent = await t.agent();
    const of = (primary: string, tag: string, episode_type: string) => ({
      ...recordOf({ primary }),
      tags: [tag],
      episode_type,
    });
    const [match] = await createAll(agent, [
      of('text', 'tag', 'Error'),
      of('other', 'tag', 'Error'),
      of('text', 'other', 'Error'),
      of('text', 'tag', 'Decision'),
    ]);
    const filter = { text_contains: 'TEXT', tag: 'tag', episode_type: 'Error' };
    expect(await agent.found(scope, filter)).toEqual([match]);
    expect(await agent.found(scope, { ...filter, after: match })).toEqual([]);
  });
});

describe('damage', () => {
  testCase('an index entry of another revision fails the page', async (t) => {
    const agent = await t.agent();
    let id = '';
    const made = await entriesMadeBy(t.store, async () => {
      id = await agent.created(scope);
    });
    result(await agent.update(scope, [id, 1]));
    for (const subspace of ['memoryScan', 'memoryRecords']) {
      const { key, value } = made.find((entry) => entry.subspace === subspace)!;
      const repair = await overwrite(t.store, key, value);
      expect(outcome(await agent.query(scope)), subspace).toBe(refused.inconsistent);
      await repair();
    }
    const { key } = made.find(({ subspace }) => subspace === 'memoryRecords')!;
    await overwrite(t.store, key, undefined);
    expect(outcome(await agent.query(scope))).toBe(refused.inconsistent);
  });

  testCase('a record under the key of another is not returned', async (t) => {
    const agent = await t.agent();
    const [one, other] = await createAll(agent, plain(2));
    const records = (await allEntries(t.store)).filter(
      ({ subspace }) => subspace === 'memoryRecords',
    );
    await overwrite(t.store, records[0]!.key, records[1]!.value);
    expect(outcome(await agent.read(scope, one))).toBe(refused.inconsistent);
    expect(outcome(await agent.read(scope, other))).toBe('200');
    expect(outcome(await agent.query(scope))).toBe(refused.inconsistent);
    expect(outcome(await agent.update(scope, [one, 1]))).toBe(refused.inconsistent);
  });
});
