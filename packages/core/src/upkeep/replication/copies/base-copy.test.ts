/** Base copies and ledgers in a target: whole or not there, and refused where they were changed. */
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryObjects, MemoryTarget } from '../../../../test/replica-kit.js';
import { createBaseCopy, fetchBaseCopy, listBaseCopies, removeBaseCopy } from './base-copy.js';
import { directoryId } from '../directory-id.js';

let home: string;
let shared: MemoryObjects;
let target: MemoryTarget;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-base-'));
  shared = new MemoryObjects();
  target = new MemoryTarget(shared);
  await writeFile(join(home, 'agentkeep.json'), '{}');
  await writeFile(join(home, 'data.mdb'), 'data');
});

afterEach(() => rm(home, { recursive: true }));

const origin = (position: number, generation = 1) => ({
  store: 'store',
  generation,
  slot: position,
  last: { position, timeMs: 1_000 * position, digest: 'a'.repeat(64) },
  madeMs: 1_000 * position + 1,
});

test('REP-47 a base copy comes back as it was, and copies are listed in their order', async () => {
  const made = await createBaseCopy(target, home, origin(12));
  expect(made).toMatchObject({
    ...origin(12),
    name: 'base/00000001-0000000000000012',
    sizeBytes: 6,
  });
  await createBaseCopy(target, home, origin(3, 2));
  await createBaseCopy(target, home, origin(7));
  const listed = await listBaseCopies(target);
  expect(listed.map(({ last, generation }) => [generation, last.position])).toEqual([
    [1, 7],
    [1, 12],
    [2, 3],
  ]);
  const copy = join(home, 'copy');
  await mkdir(copy);
  await fetchBaseCopy(target, made, copy);
  expect(await readFile(join(copy, 'data.mdb'), 'utf8')).toBe('data');
  await removeBaseCopy(target, made);
  expect(await listBaseCopies(target)).toEqual(listed.filter(({ name }) => name !== made.name));
});

test('REP-47 a copy that was interrupted is not listed, and is made anew', async () => {
  shared.onAccess = (name) => {
    if (name.endsWith('manifest.json') && shared.objects.size > 0) throw new Error('gone');
  };
  const interrupted = createBaseCopy(target, home, origin(1));
  await expect(interrupted).rejects.toMatchObject({ code: 'replica_unavailable' });
  shared.onAccess = () => undefined;
  expect(await listBaseCopies(target)).toEqual([]);
  await appendFile(join(home, 'data.mdb'), ' of later');
  const made = await createBaseCopy(target, home, origin(1));
  expect(await createBaseCopy(target, home, origin(1))).toEqual(made);
  const copy = join(home, 'copy');
  await mkdir(copy);
  await fetchBaseCopy(target, made, copy);
  expect(await readFile(join(copy, 'data.mdb'), 'utf8')).toBe('data of later');
});

test('REP-47 a base copy that was changed, moved or cut is refused', async () => {
  const made = await createBaseCopy(target, home, origin(1));
  const fetched = async (): Promise<unknown> => {
    const copy = await mkdtemp(join(home, 'copy-'));
    return fetchBaseCopy(target, made, copy).catch((error: unknown) => error);
  };
  shared.objects.set(`${made.name}/data.mdb`, Buffer.from('dada'));
  expect(await fetched()).toMatchObject({ code: 'replica_damaged' });
  shared.objects.delete(`${made.name}/data.mdb`);
  expect(await fetched()).toMatchObject({ code: 'replica_missing' });
  const manifest = shared.objects.get(`${made.name}/manifest.json`)!;
  const other = 'base/00000001-0000000000000002/manifest.json';
  for (const [name, bytes] of [
    [`${made.name}/manifest.json`, manifest.subarray(0, 40)],
    [other, manifest],
  ] as const) {
    shared.objects.clear();
    shared.objects.set(name, bytes);
    await expect(listBaseCopies(target)).rejects.toMatchObject({ code: 'replica_damaged' });
  }
});

test('a directory keeps its id, which another one does not have', async () => {
  const id = await directoryId(home);
  expect(await directoryId(home)).toBe(id);
  const other = await mkdtemp(join(home, 'other-'));
  expect(await directoryId(other)).not.toBe(id);
  await writeFile(join(other, 'replica.json'), '{');
  await expect(directoryId(other)).rejects.toMatchObject({ code: 'store_incompatible' });
});

test('REP-47 a copy whose manifest was changed is left out beside another, and is made anew', async () => {
  const earlier = await createBaseCopy(target, home, origin(1));
  const later = await createBaseCopy(target, home, origin(2));
  shared.objects.set(`${later.name}/manifest.json`, Buffer.from('{'));
  shared.objects.set('base/others/manifest.json', Buffer.from('{'));
  expect(await listBaseCopies(target)).toEqual([earlier]);
  await appendFile(join(home, 'data.mdb'), ' of later');
  expect(await createBaseCopy(target, home, origin(2))).toMatchObject({ name: later.name });
  expect((await listBaseCopies(target)).map(({ sizeBytes }) => sizeBytes)).toEqual([6, 15]);
});
