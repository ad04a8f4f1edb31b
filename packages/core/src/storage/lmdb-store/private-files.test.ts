/** What an opening does about the access of other users to a directory and its files. */
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { openLmdbStore } from './open-lmdb-store.js';

const key = Uint8Array.from([1]);
const value = Uint8Array.from([7]);

let parent: string;
let directory: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-access-'));
  directory = join(parent, 'store');
});

afterEach(() => rm(parent, { recursive: true, force: true }));

/** Creates a store with one entry and closes it. */
async function makeStore(): Promise<void> {
  const store = await openLmdbStore({ directory });
  await store.transact((tx) => tx.put(key, value));
  await store.close();
}

/** Opens the store. Returns the code of the failure, or the stored value. */
async function outcome(): Promise<unknown> {
  try {
    const store = await openLmdbStore({ directory });
    try {
      return await store.read((tx) => tx.get(key)?.[0]);
    } finally {
      await store.close();
    }
  } catch (error) {
    return error instanceof AgentkeepError ? error.code : error;
  }
}

describe('access of other users', () => {
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  test('to what this user owns is taken away', async () => {
    await makeStore();
    await chmod(directory, 0o755);
    for (const name of ['data.mdb', 'agentkeep.json']) await chmod(join(directory, name), 0o644);
    expect(await outcome()).toBe(7);
    expect(await modeOf(directory)).toBe(0o750);
    for (const name of ['data.mdb', 'agentkeep.json', 'lock.mdb']) {
      expect(await modeOf(join(directory, name)), name).toBe(0o600);
    }
  });

  test('leaves a directory alone that is no store', async () => {
    await mkdir(directory, { mode: 0o755 });
    await writeFile(join(directory, 'data.mdb'), 'x');
    expect(await outcome()).toBe('store_incompatible');
    expect(await modeOf(directory)).toBe(0o755);
  });

  // Only root can give a directory to another user.
  describe.runIf(process.geteuid?.() === 0)('to what another user owns', () => {
    const OTHER = 54_321;

    test.each([0o770, 0o700])('is fine with mode %o, and the mode stays', async (mode) => {
      await mkdir(directory);
      await chown(directory, OTHER, OTHER);
      await chmod(directory, mode);
      await makeStore();
      expect(await outcome()).toBe(7);
      expect(await modeOf(directory)).toBe(mode);
      expect(await modeOf(join(directory, 'data.mdb'))).toBe(0o600);
    });

    test('is refused if everybody has it, with what to do', async () => {
      await mkdir(directory);
      await chown(directory, OTHER, OTHER);
      await chmod(directory, 0o777);
      const refused: unknown = await openLmdbStore({ directory }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'store_incompatible' });
      expect((refused as Error).cause).toMatchObject({
        message: expect.stringMatching(
          /store belongs to another user \(uid 54321\).*0777.*chmod o-rwx/,
        ),
      });
      expect(await readdir(directory)).toEqual([]);
    });

    test('is refused if everybody can read the data file', async () => {
      await makeStore();
      await chown(join(directory, 'data.mdb'), OTHER, OTHER);
      await chmod(join(directory, 'data.mdb'), 0o644);
      expect(await outcome()).toBe('store_incompatible');
    });
  });
});
