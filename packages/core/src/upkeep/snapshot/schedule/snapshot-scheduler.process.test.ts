/** Snapshots on a schedule: when they are made, which are kept, and what happens after failures. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Keep } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { bootstrapMaster, createSnapshot, runtimeOf } from '../../../operator.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import { snapshotSchedule } from './snapshot-options.js';
import { SnapshotScheduler } from './snapshot-scheduler.js';

const HOUR_MS = 3_600_000;
const schedule = snapshotSchedule({ everySeconds: 21_600, keep: 2 });
const clock = new ManualClock(0);

let home: string;
let keep: Keep;
let secret: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-schedule-'));
  clock.stepTo(Date.UTC(2026, 0, 1));
  keep = await openKeep({ dataDir: join(home, 'data'), clock });
  ({ secret } = await bootstrapMaster(keep, 'root'));
});

afterEach(async () => {
  await keep.close();
  await rm(home, { recursive: true });
});

const scheduler = (): SnapshotScheduler =>
  new SnapshotScheduler({ ...runtimeOf(keep), dataDir: join(home, 'data') }, schedule);
const snapshots = (): string => join(home, 'data', 'snapshots');

async function ids(): Promise<string[]> {
  return (await readdir(snapshots())).filter((name) => name.startsWith('2')).sort();
}

async function events() {
  const master = await keep.administer(secret);
  const { events } = await master.audit.queryPage({ eventType: 'snapshot_made' });
  return events.map(({ result, metadata }) => ({ result, metadata })).reverse();
}

test('SNP-C59 makes one each interval, keeps the newest, and leaves others alone', async () => {
  await scheduler().sweep();
  await scheduler().sweep();
  expect(await ids()).toEqual(['20260101-000000-000']);
  clock.advance(HOUR_MS);
  await createSnapshot(keep);
  clock.advance(5 * HOUR_MS - 1);
  await scheduler().sweep();
  expect(await ids()).toEqual(['20260101-000000-000', '20260101-010000-000']);
  clock.advance(1);
  await scheduler().sweep();
  clock.advance(6 * HOUR_MS);
  await scheduler().sweep();
  const last = ['20260101-060000-000', '20260101-120000-000'];
  expect(await ids()).toEqual(['20260101-010000-000', ...last]);
  expect((await events()).at(-1)).toEqual({
    result: 'success',
    metadata: { snapshot_id: last[1], removed: ['20260101-000000-000'] },
  });
});

test('SNP-27 one of the future does not hold the schedule up', async () => {
  await scheduler().sweep();
  clock.stepTo(Date.UTC(2025, 11, 1));
  await scheduler().sweep();
  expect(await ids()).toEqual(['20251201-000000-000', '20260101-000000-000']);
});

test('SNP-C60, SNP-29, AUD-100 a failure is recorded, removes nothing, and is repeated later', async () => {
  await scheduler().sweep();
  const one = scheduler();
  clock.advance(6 * HOUR_MS);
  await rm(snapshots(), { recursive: true });
  await writeFile(snapshots(), '');
  await expect(one.sweep()).rejects.toThrow();
  const failed = { result: 'error', metadata: { error: 'store_unavailable' } };
  expect((await events()).at(-1)).toEqual(failed);
  await rm(snapshots());
  await one.sweep();
  clock.advance(599_999);
  await one.sweep();
  expect(await events()).toHaveLength(2);
  clock.advance(1);
  await one.sweep();
  expect(await ids()).toEqual(['20260101-061000-000']);
});

test('SNP-C61, SNP-32 shows the schedule, and when the next one is due', async () => {
  await scheduler().sweep();
  await keep.close();
  const dataDir = join(home, 'data');
  keep = await openKeep({ dataDir, clock, snapshots: { everySeconds: 21_600, keep: 2 } });
  const master = await keep.administer(secret);
  const unset = { is_stored: false, revision: 0 };
  const stated = { every_secs: 21_600, keep: 2, newest_id: '20260101-000000-000', ...unset };
  const due = { ...stated, due_at: '2026-01-01T06:00:00.000Z' };
  expect(await master.snapshots.schedule()).toEqual(due);
  await keep.close();
  keep = await openKeep({ dataDir, clock });
  const without = await (await keep.administer(secret)).snapshots.schedule();
  expect(without).toEqual({
    every_secs: null,
    keep: null,
    due_at: null,
    newest_id: stated.newest_id,
    ...unset,
  });
});

test('SNP-C62 a stored schedule goes before the options, until it is removed', async () => {
  const { snapshots: all } = await keep.administer(secret);
  const one = scheduler();
  await one.sweep();
  await all.setSchedule({ everySeconds: null });
  clock.advance(24 * HOUR_MS);
  await one.sweep();
  expect(await ids()).toEqual(['20260101-000000-000']);
  await all.setSchedule({ everySeconds: 3_600, keep: 1 });
  await one.sweep();
  expect(await ids()).toEqual(['20260102-000000-000']);
  clock.advance(HOUR_MS);
  await one.sweep();
  expect(await ids()).toEqual(['20260102-010000-000']);
  await all.setSchedule({});
  clock.advance(6 * HOUR_MS - 1);
  await one.sweep();
  clock.advance(1);
  await one.sweep();
  expect(await ids()).toEqual(['20260102-010000-000', '20260102-070000-000']);
});

test('SNP-C63 a change is one event with what was and what is, and needs the revision', async () => {
  const { snapshots: all, audit } = await keep.administer(secret);
  await all.setSchedule({ everySeconds: 3_600 });
  await all.setSchedule({ everySeconds: 3_600, keep: 7, expectedRevision: 1 });
  const stale = all.setSchedule({ everySeconds: null, expectedRevision: 0 });
  await expect(stale).rejects.toMatchObject({ code: 'revision_conflict' });
  await all.setSchedule({ everySeconds: null, expectedRevision: 1 });
  await all.setSchedule({});
  const { events: found } = await audit.queryPage({ eventType: 'configuration_changed' });
  const changes = found.filter(({ resource }) => resource === 'snapshot_schedule');
  const [hourly, off] = [
    { every_secs: 3_600, keep: 7 },
    { every_secs: null, keep: null },
  ];
  expect(changes.map(({ metadata }) => metadata).reverse()).toMatchObject([
    { before: null, after: hourly },
    { before: hourly, after: off },
    { before: off, after: null },
  ]);
});

test('SNP-30 a stored schedule holds for every server of a store, each in its own directory', async () => {
  const shared = sharedTestStore();
  const folders = ['one', 'two'].map((name) => join(home, name));
  const made = await Promise.all(
    folders.map((dataDir) => openKeep({ store: shared.open(), dataDir, clock })),
  );
  const [first, second] = made as [Keep, Keep];
  const master = await bootstrapMaster(first, 'root');
  const there = await (
    await first.administer(master.secret)
  ).snapshots.setSchedule({ everySeconds: 60 });
  const seen = await (await second.administer(master.secret)).snapshots.schedule();
  expect(seen).toEqual(there);
  expect(seen).toMatchObject({ every_secs: 60, keep: 7, is_stored: true, revision: 1 });
  for (const each of made) await each.close();
});

test('SNP-26, SNP-30 a keep with a schedule begins at once, and needs a directory', async () => {
  await keep.close();
  const dataDir = join(home, 'data');
  keep = await openKeep({ dataDir, clock, snapshots: { everySeconds: 60 } });
  await keep.close();
  expect(await ids()).toEqual(['20260101-000000-000']);
  keep = await openKeep({ dataDir, clock });
  for (const wrong of [{ everySeconds: 59 }, { everySeconds: 60, keep: 0 }]) {
    const opening = openKeep({ dataDir: join(home, 'other'), snapshots: wrong });
    await expect(opening).rejects.toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
});
