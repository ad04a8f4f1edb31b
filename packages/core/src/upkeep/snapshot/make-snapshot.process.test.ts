/** Snapshots of a keep in one process: names, files, content, and removal of unfinished ones. */
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { openLmdbStore } from '../../storage/lmdb-store/open-lmdb-store.js';
import {
  bootstrapTenant,
  createSnapshot,
  listSnapshots,
  type Progress,
  snapshotDirectory,
} from '../../operator.js';
import { ManualClock } from '../../testing/manual-clock.js';

let home: string;
let dataDir: string;
let keep: Keep;
const clock = new ManualClock(Date.UTC(2026, 0, 1));

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-snapshot-'));
  dataDir = join(home, 'data');
  clock.stepTo(Date.UTC(2026, 0, 1));
  keep = await openKeep({ dataDir, clock });
  await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
});

afterEach(async () => {
  await keep.close();
  await rm(home, { recursive: true });
});

const snapshots = (): string => join(dataDir, 'snapshots');

describe('createSnapshot', () => {
  test('SNP-18 names a snapshot after its start, keeps it private and describes it', async () => {
    const made = await createSnapshot(keep);
    const path = join(snapshots(), '20260101-000000-000');
    const names = (await readdir(path)).sort();
    expect(names).toEqual(['agentkeep.json', 'data.mdb', 'manifest.json']);
    const stats = await Promise.all(names.map((name) => stat(join(path, name))));
    const size_bytes = stats.reduce((sum, { size }) => sum + size, 0);
    expect(made).toEqual({ snapshot_id: '20260101-000000-000', path, size_bytes });
    for (const { mode } of stats) expect(mode & 0o777).toBe(0o600);
    for (const folder of [snapshots(), path]) {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }
    expect(JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'))).toMatchObject({
      snapshot_id: '20260101-000000-000',
      created_at: '2026-01-01T00:00:00.000Z',
      stored_version: 1,
      records: { tenants: 1, credentials: 1, credentialLocators: 1, memoryRecords: 0 },
      files: [
        { name: 'agentkeep.json', size_bytes: stats[0]!.size },
        { name: 'data.mdb', size_bytes: stats[1]!.size },
      ],
    });
  });

  test('skips an id that is taken, never overwrites, and links the newest', async () => {
    const first = await createSnapshot(keep);
    const before = await readFile(join(first.path, 'manifest.json'), 'utf8');
    const second = await createSnapshot(keep);
    expect(second.snapshot_id).toBe('20260101-000000-001');
    expect(await readFile(join(first.path, 'manifest.json'), 'utf8')).toBe(before);
    expect(await readlink(join(snapshots(), 'latest'))).toBe(second.snapshot_id);
    clock.stepTo(Date.UTC(2025, 11, 31, 23, 59, 59, 7));
    const older = await createSnapshot(keep);
    expect(older.snapshot_id).toBe('20251231-235959-007');
    expect(await readlink(join(snapshots(), 'latest'))).toBe(second.snapshot_id);
    const { snapshots: listed, count } = await listSnapshots(keep);
    const version = { stored_version: 1, is_scheduled: false };
    expect({ listed, count }).toEqual({
      listed: [
        { ...second, ...version, created_at: '2026-01-01T00:00:00.001Z' },
        { ...first, ...version, created_at: '2026-01-01T00:00:00.000Z' },
        { ...older, ...version, created_at: '2025-12-31T23:59:59.007Z' },
      ],
      count: 3,
    });
  });

  test('is refused while another snapshot is being made by any caller', async () => {
    const outcomes = await Promise.allSettled([createSnapshot(keep), createSnapshot(keep)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'snapshot_in_progress', kind: 'conflict' } });
    expect((await listSnapshots(keep)).count).toBe(1);
  });

  test('reports its progress', async () => {
    const told: Progress[] = [];
    await createSnapshot(keep, { onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toMatchObject({ phase: 'digest' });
    expect(told.at(-1)?.done).toBe(told.at(-1)?.total);
  });

  test('is refused without a directory', async () => {
    await using inMemory = await openKeep({ store: inMemoryStore() });
    const refusal = { code: 'no_data_directory', wireCode: 'internal_error' };
    await expect(createSnapshot(inMemory)).rejects.toMatchObject(refusal);
    await expect(listSnapshots(inMemory)).rejects.toMatchObject(refusal);
  });

  test('SNP-14 never publishes a copy that does not verify', async () => {
    await keep.close();
    const store = await openLmdbStore({ directory: dataDir });
    await store.transact((tx) => tx.put(Buffer.from([0, 30, 97, 0]), Buffer.from('damaged')));
    await store.close();
    keep = await openKeep({ dataDir, clock });
    await expect(createSnapshot(keep)).rejects.toMatchObject({
      code: 'storage_inconsistency',
      cause: { message: '1 of markers do not verify.' },
    });
    expect(await readdir(snapshots())).toEqual(['.lock']);
  });
});

describe('unfinished snapshots', () => {
  test('are never listed, and are removed at the next opening', async () => {
    const { snapshot_id } = await createSnapshot(keep);
    await mkdir(join(snapshots(), '.unfinished-1'));
    await writeFile(join(snapshots(), '.unfinished-1', 'data.mdb'), '');
    await mkdir(join(snapshots(), '20270101-000000-000'));
    await writeFile(join(snapshots(), '20270101-000000-001'), '');
    expect(await listSnapshots(keep)).toMatchObject({ snapshots: [{ snapshot_id }], count: 1 });
    await keep.close();
    keep = await openKeep({ dataDir, clock });
    expect(await readdir(snapshots())).not.toContain('.unfinished-1');
    expect((await listSnapshots(keep)).count).toBe(1);
  });

  test('are not removed while their process is making them', async () => {
    await createSnapshot(keep);
    await keep.close();
    const lock = await openLmdbStore({ directory: join(snapshots(), '.lock'), reserveBytes: 0 });
    await mkdir(join(snapshots(), '.unfinished-1'));
    keep = await openKeep({ dataDir, clock });
    expect(await readdir(snapshots())).toContain('.unfinished-1');
    await lock.close();
  });
});

describe('snapshotDirectory', () => {
  test('copies a directory that no process has open', async () => {
    await keep.close();
    const { snapshot_id } = await snapshotDirectory({ dataDir, clock });
    keep = await openKeep({ dataDir, clock });
    expect(await listSnapshots(keep)).toMatchObject({ snapshots: [{ snapshot_id }] });
  });

  test('refuses a directory that a keep of this process has open', async () => {
    const refused = snapshotDirectory({ dataDir, clock });
    await expect(refused).rejects.toMatchObject({ code: 'store_in_use' });
  });

  test('creates no directory', async () => {
    const absent = join(home, 'absent');
    const refused = snapshotDirectory({ dataDir: absent, clock });
    await expect(refused).rejects.toMatchObject({ code: 'store_incompatible' });
    await expect(lstat(absent)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
