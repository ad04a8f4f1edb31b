/** Which directories are made, and that a refusal is a failure and not a wait. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDirectories } from './directory.js';

const MODE = 0o700;

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'agentkeep-directories-'));
});

afterEach(() => rm(parent, { recursive: true }));

test('returns the first directory that it made, and nothing for one that was there', async () => {
  const deepest = join(parent, 'a/b/c');
  expect(await makeDirectories(deepest, MODE)).toBe(join(parent, 'a'));
  expect(await makeDirectories(deepest, MODE)).toBeUndefined();
  expect(await makeDirectories(join(deepest, 'd'), MODE)).toBe(join(deepest, 'd'));
  for (const path of ['a', 'a/b', 'a/b/c']) {
    expect((await stat(join(parent, path))).mode & 0o777).toBe(MODE);
  }
});

test('makes a directory once for callers at the same time', async () => {
  const deepest = join(parent, 'a/b/c');
  const made = await Promise.all([1, 2, 3].map(() => makeDirectories(deepest, MODE)));
  expect(made).toContain(join(parent, 'a'));
  expect((await stat(deepest)).isDirectory()).toBe(true);
});

test('a file in the way is a failure', async () => {
  const file = join(parent, 'file');
  await writeFile(file, '');
  await expect(makeDirectories(file, MODE)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeDirectories(join(file, 'a'), MODE)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.runIf(process.platform === 'linux')(
  'a file system that refuses new names is a failure too',
  async () => {
    await expect(makeDirectories('/proc/agentkeep/a', MODE)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  },
);
