/** Lists of matches that are merged, the newest record first. */
import type { SearchMatch } from '@agentkeep/client';
import { expect, test } from 'vitest';
import { mergedNewest } from './merged-newest.js';

function matchOf(millis: number, id = String(millis)): SearchMatch {
  return { record: { record_id: id, created_at_millis: millis } } as unknown as SearchMatch;
}

async function* listOf(millis: readonly number[], asked: () => void) {
  await Promise.resolve();
  for (const each of millis) {
    asked();
    yield matchOf(each);
  }
}

test('yields each record once, the newest of all lists first', async () => {
  const lists = [[90, 40, 10], [], [80, 40], [70, 60, 50], [95], [5]];
  const merged = [];
  for await (const { match, list } of mergedNewest(lists, (list) =>
    listOf(list, () => undefined),
  )) {
    expect(list).toContain(match.record.created_at_millis);
    merged.push(match.record.created_at_millis);
  }
  expect(merged).toEqual([95, 90, 80, 70, 60, 50, 40, 10, 5]);
});

test('asks a list only as far as it is read', async () => {
  let asked = 0;
  const long = Array.from({ length: 1_000 }, (_, at) => 1_000 - at);
  const merged = mergedNewest([long, long.map((each) => each + 0.5)], (list) =>
    listOf(list, () => (asked += 1)),
  );
  for (let taken = 0; taken < 10; taken += 1) await merged.next();
  await merged.return();
  expect(asked).toBeLessThan(15);
});
