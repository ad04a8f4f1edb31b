/** Ids of snapshots. */
import { expect, test } from 'vitest';
import { isSnapshotId, snapshotIdAt, timeOfSnapshotId } from './snapshot-manifest.js';

test.each([
  [Date.UTC(2026, 0, 1), '20260101-000000-000'],
  [Date.UTC(2026, 11, 31, 23, 59, 58, 7), '20261231-235958-007'],
])('%d has the id %s', (ms, id) => {
  expect(snapshotIdAt(ms)).toBe(id);
  expect(isSnapshotId(id)).toBe(true);
  expect(Date.parse(timeOfSnapshotId(id))).toBe(ms);
});

test.each([
  '',
  'latest',
  '.lock',
  '20260101-000000',
  '20260101-000000-0000',
  '../20260101-000000-0',
])('%j is not an id', (name) => expect(isSnapshotId(name)).toBe(false));
