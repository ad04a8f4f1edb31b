/** Restoring snapshots: what is checked, what is replaced, and what stays the same. */
import {
  appendFile,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import {
  bootstrapTenant,
  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  verifyStore,
} from '../../operator.js';
import { ManualClock } from '../../testing/manual-clock.js';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let home: string;
let dataDir: string;
let keep: Keep;
let snapshot: string;
let target: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-restore-'));
  dataDir = join(home, 'data');
  target = join(home, 'target');
  keep = await openKeep({ dataDir, clock });
  await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  snapshot = (await createSnapshot(keep)).path;
});

afterEach(async () => {
  await keep.close();
  await rm(home, { recursive: true });
});

const tenants = async (directory: string): Promise<number | undefined> => {
  const { families } = await verifyStore({ dataDir: directory });
  return families.find(({ family }) => family === 'tenants')?.records;
};

test('OPR-8 fills an absent directory with private files and reports its content', async () => {
  const phases = new Set<string>();
  const report = await restoreSnapshot({
    snapshot,
    dataDir: target,
    onProgress: ({ phase }) => phases.add(phase),
  });
  expect(report).toMatchObject({
    contract_version: 1,
    status: 'restored',
    snapshot_id: '20260101-000000-000',
    data_directory: target,
    stored_version: 1,
    records: { tenants: 1, credentials: 1, memoryScan: 0 },
  });
  expect([...phases]).toEqual(['digest', 'copy']);
  expect((await stat(target)).mode & 0o777).toBe(0o700);
  for (const name of ['agentkeep.json', 'data.mdb']) {
    expect((await stat(join(target, name))).mode & 0o777).toBe(0o600);
  }
  expect((await readdir(target)).sort()).toEqual(['agentkeep.json', 'data.mdb']);
  const restored = await openKeep({ dataDir: target });
  const again = bootstrapTenant(restored, { tenantId: 'acme', subjectId: 'ops' });
  await expect(again).rejects.toMatchObject({ code: 'tenant_exists' });
  await restored.close();
});

test('OPR-8 replaces a directory that is not empty only by force, and keeps its snapshots', async () => {
  await bootstrapTenant(keep, { tenantId: 'later', subjectId: 'ops' });
  await keep.close();
  const refused = restoreSnapshot({ snapshot, dataDir });
  await expect(refused).rejects.toMatchObject({ code: 'directory_not_empty' });
  expect(await tenants(dataDir)).toBe(2);
  await restoreSnapshot({ snapshot, dataDir, force: true });
  expect(await tenants(dataDir)).toBe(1);
  keep = await openKeep({ dataDir, clock });
  expect((await listSnapshots(keep)).count).toBe(1);
});

test('replaces a store that is too damaged to be opened', async () => {
  await keep.close();
  await writeFile(join(dataDir, 'data.mdb'), '');
  await restoreSnapshot({ snapshot, dataDir, force: true });
  expect(await tenants(dataDir)).toBe(1);
});

test('OPR-8 refuses a directory in use', async () => {
  const refused = restoreSnapshot({ snapshot, dataDir, force: true });
  await expect(refused).rejects.toMatchObject({ code: 'store_in_use' });
});

test.each([
  ['a longer file', (path: string) => appendFile(join(path, 'data.mdb'), 'x')],
  ['a changed file', (path: string) => writeFile(join(path, 'agentkeep.json'), '{}')],
  ['a missing file', (path: string) => rm(join(path, 'data.mdb'))],
  ['no manifest', (path: string) => rm(join(path, 'manifest.json'))],
  ['a broken manifest', (path: string) => writeFile(join(path, 'manifest.json'), '{}')],
])('refuses a snapshot with %s and changes nothing', async (_what, damage) => {
  await keep.close();
  await damage(snapshot);
  const before = await readFile(join(dataDir, 'data.mdb'));
  for (const work of [
    { snapshot, dataDir: target },
    { snapshot, dataDir, force: true },
  ]) {
    await expect(restoreSnapshot(work)).rejects.toMatchObject({ code: 'snapshot_damaged' });
  }
  await expect(lstat(target)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readFile(join(dataDir, 'data.mdb'))).toEqual(before);
});
