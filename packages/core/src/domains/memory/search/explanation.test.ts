/** Explanations of searches (docs/contract/search.md#sea-38). */
import { expect, test } from 'vitest';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor } from '../../../operator.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

/** A clock on which every look at it takes a millisecond. */
class TickingClock extends ManualClock {
  override monotonic(): number {
    this.advance(1);
    return super.monotonic();
  }
}

test('an explanation says what came from the cache and how long each part took', async () => {
  await using keep = await openKeep({ store: inMemoryStore(), clock: new TickingClock() });
  const { memory } = await agentFor(keep, { tenantId: 'acme', subjectId: 'h', scopes: [scope] });
  for (const primary of ['Green tea.', 'Black tea.', 'Coffee.']) {
    await memory.in(scope).create({
      episode_type: 'Observation',
      content: { primary },
      event_time_millis: 0,
    });
  }
  const explained = async () => {
    const filter = { words: { text: 'tea' } };
    const { explanation } = await memory.in(scope).searchPage(filter, { explain: true });
    return explanation;
  };
  const first = await explained();
  expect(first).toMatchObject({
    path: 'by_id',
    entry_tests: ['expiry', 'text'],
    slices: 1,
    entries: 3,
    cached_entries: 0,
    found_entries: 2,
    records: 2,
    matches: 2,
  });
  // One look at the start, three in the slice and one at the end.
  expect(first?.took).toEqual({
    entries_micros: 1_000,
    records_micros: 1_000,
    turns_micros: 0,
    total_micros: 4_000,
  });
  expect(await explained()).toEqual({ ...first, cached_entries: 3 });
});

test('counts that entries decide read no records', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const { memory } = await agentFor(keep, { tenantId: 'acme', subjectId: 'h', scopes: [scope] });
  for (const tag of ['a', 'b']) {
    await memory.in(scope).create({
      episode_type: 'Observation',
      content: { primary: 'x' },
      event_time_millis: 0,
      tags: [tag],
    });
  }
  const counted = async (filter: object, by: 'tag'[] = []) => {
    const options = { counts: { by }, explain: true };
    const { counts, explanation } = await memory.in(scope).searchPage(filter, options);
    return [counts?.matches, explanation?.records];
  };
  expect(await counted({})).toEqual([2, 0]);
  expect(await counted({ tags: { all: ['a'] }, text_contains: 'X' })).toEqual([1, 0]);
  expect(await counted({ tags: { any: ['a'] } })).toEqual([1, 2]);
  expect(await counted({ words: { text: 'x' } })).toEqual([2, 0]);
  expect(await counted({}, ['tag'])).toEqual([2, 2]);
});
