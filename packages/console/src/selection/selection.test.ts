/** Records that a person selects. */
import type { MemoryRecord } from '@agentkeep/client';
import { expect, test } from 'vitest';
import {
  NOTHING_SELECTED,
  SELECTED_MAX,
  type Selection,
  toggled,
  withNewer,
  withSelected,
} from './selection.js';

const rows = Array.from({ length: 300 }, (_, at) => recordOf(`r${at}`));

function recordOf(id: string, revision = 1): MemoryRecord {
  return { record_id: id, revision } as MemoryRecord;
}

function idsIn({ records }: Selection): string[] {
  return [...records.keys()];
}

function choose(selection: Selection, at: number, isRange = false): Selection {
  return toggled(selection, rows, { record: recordOf(`r${at}`), isRange });
}

test('selects a range in both directions, and takes one out again', () => {
  const down = choose(choose(NOTHING_SELECTED, 2), 5, true);
  expect(idsIn(down)).toEqual(['r2', 'r3', 'r4', 'r5']);
  const up = choose(choose(NOTHING_SELECTED, 5), 3, true);
  expect(idsIn(up)).toEqual(['r5', 'r4', 'r3']);
  expect(idsIn(choose(choose(down, 3), 5, true))).toEqual(['r2']);
});

test('a range whose beginning is not in the list is one record', () => {
  const elsewhere = { ...NOTHING_SELECTED, anchor: 'gone' };
  expect(idsIn(choose(elsewhere, 7, true))).toEqual(['r7']);
  expect(idsIn(choose(NOTHING_SELECTED, 7, true))).toEqual(['r7']);
});

test('holds no more records than a batch has commands', () => {
  const all = withSelected(NOTHING_SELECTED, rows);
  expect(all.records.size).toBe(SELECTED_MAX);
  expect(all.records.has('r255')).toBe(true);
  expect(choose(all, 299).records.size).toBe(SELECTED_MAX);
  const upwards = choose(choose(NOTHING_SELECTED, 299), 0, true);
  expect(upwards.records.has('r44')).toBe(true);
  expect(upwards.records.has('r43')).toBe(false);
});

test('keeps the revision at which a record was seen until the newer one is chosen', () => {
  const seen = withSelected(NOTHING_SELECTED, [recordOf('a', 1)]);
  expect(withSelected(seen, [recordOf('a', 2)]).records.get('a')?.revision).toBe(1);
  expect(withNewer(seen, recordOf('a', 2)).records.get('a')?.revision).toBe(2);
});
