/** A folder as a target: the cases of all targets, and what only a folder can do wrong. */
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryObjects, MemoryTarget, replicaTargetCases } from '../../../../test/replica-kit.js';
import { openReplicaTarget } from './open-replica-target.js';

const shared = await mkdtemp(join(tmpdir(), 'agentkeep-folder-'));
replicaTargetCases({ name: 'a folder', open: () => openReplicaTarget(join(shared, 'target')) });

const objects = new MemoryObjects();
replicaTargetCases({
  name: 'the memory of tests',
  open: () => Promise.resolve(new MemoryTarget(objects)),
});

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(shared, 'case-'));
});

afterEach(() => rm(home, { recursive: true }));

test('REP-40 a folder is named by its path or as a file URL, and made if its parent is there', async () => {
  const path = join(home, 'with space');
  const byPath = await openReplicaTarget(path);
  await byPath.create('a/b', Buffer.from('x'));
  const byUrl = await openReplicaTarget(pathToFileURL(path).href);
  expect(byUrl.address).toBe(path);
  expect(await byUrl.list('a/')).toEqual(['a/b']);
});

test.each(['', 'backup', 'ftp://host/path', 'file://host/path', 's4://bucket'])(
  'REP-40 refuses the address %j with what to name',
  async (address) => {
    const refused = openReplicaTarget(address);
    await expect(refused).rejects.toMatchObject({
      code: 'replica_unsuitable',
      message: expect.stringContaining('Name a folder'),
    });
  },
);

test('REP-40 refuses what cannot be a folder', async () => {
  await writeFile(join(home, 'file'), '');
  for (const path of [join(home, 'file'), join(home, 'absent', 'below')]) {
    await expect(openReplicaTarget(path)).rejects.toMatchObject({ code: 'replica_unsuitable' });
  }
});

test('REP-42 only the owner can read what is there', async () => {
  const target = await openReplicaTarget(join(home, 'target'));
  await target.create('log/1', Buffer.from('secret'));
  const modes = ['', 'log', 'log/1'].map((name) => stat(join(home, 'target', name)));
  const found = (await Promise.all(modes)).map(({ mode }) => (mode & 0o777).toString(8));
  expect(found).toEqual(['700', '700', '600']);
});

test('REP-43 a folder that another one took the place of does not answer', async () => {
  const path = join(home, 'share');
  const target = await openReplicaTarget(path);
  await rename(path, join(home, 'away'));
  const gone = await target.create('log/1', Buffer.from('x')).catch((error: unknown) => error);
  expect(gone).toMatchObject({ code: 'replica_unavailable', retryable: true });
  await mkdir(path);
  await expect(target.create('log/1', Buffer.from('x'))).rejects.toMatchObject({
    code: 'replica_unavailable',
  });
  expect(await readdir(path)).toEqual([]);
  await rm(path, { recursive: true });
  await rename(join(home, 'away'), path);
  expect(await target.create('log/1', Buffer.from('x'))).toBe(true);
});

test('what a killed writer left is removed after a day, and is never an object', async () => {
  const path = join(home, 'target');
  await openReplicaTarget(path);
  const unfinished = join(path, '.unfinished');
  await writeFile(join(unfinished, 'old'), 'x');
  await writeFile(join(unfinished, 'new'), 'x');
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  await utimes(join(unfinished, 'old'), twoDaysAgo, twoDaysAgo);
  const target = await openReplicaTarget(path);
  expect(await readdir(unfinished)).toEqual(['new']);
  expect(await target.list('')).toEqual([]);
});
