/** A whole page goes on past entries that an index rules out; a smaller one ends. */
import { expect, onTestFinished, test } from 'vitest';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor } from '../../../operator.js';

const RECORDS = 10_900;
const RARE_TURN = 300;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

test('SEA-19 a page of all entries passes those that cannot match', async () => {
  const keep = await openKeep({ store: inMemoryStore() });
  onTestFinished(() => keep.close());
  const { memory } = await agentFor(keep, { tenantId: 'acme', subjectId: 'h', scopes: [scope] });
  const records = Array.from({ length: RECORDS }, (_, turn) => ({
    episode_type: 'Observation' as const,
    content: { primary: turn === RARE_TURN ? 'A xylophone.' : `Turn ${turn}.` },
    event_time_millis: turn,
  }));
  let made = 0;
  for await (const { outcomes } of memory.in(scope).createMany(records)) made += outcomes.length;
  expect(made).toBe(RECORDS);
  const page = (text: string, options: { cursor?: string; scanLimit?: number } = {}) =>
    memory.in(scope).searchPage({ words: { text } }, options);
  // The first search reads the entries, and a later one makes what rules words out.
  for (let round = 0; round < 3; round += 1) {
    let next: string | null | undefined;
    do {
      const options: { cursor?: string } = typeof next === 'string' ? { cursor: next } : {};
      ({ next_cursor: next } = await page('elsewhere', options));
    } while (next !== null);
  }

  expect(await page('absent')).toEqual({ matches: [], next_cursor: null, scanned_records: 10_000 });

  const before = await page('xylophone');
  expect(before).toMatchObject({ matches: [], scanned_records: 10_000 });
  const after = await page('xylophone', { cursor: before.next_cursor ?? '' });
  expect(after.matches.map(({ record }) => record.payload.event_time_millis)).toEqual([RARE_TURN]);
  expect(after.scanned_records).toBeLessThan(600);

  const smaller = await page('absent', { scanLimit: 9_999 });
  expect(smaller).toMatchObject({ matches: [], scanned_records: 9_999 });
  expect(smaller.next_cursor).not.toBeNull();
});
