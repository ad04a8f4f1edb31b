/**
 * A directory that a command has created survives a power loss, with its name.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskImage } from '../disk/disk-image.js';
import { readDiskLog } from '../disk/disk-log.js';
import { buildDiskShim } from '../disk/disk-shim.js';
import { randomFrom } from '@agentkeep/testkit/random';
import { bootstrapTenant, runCommand } from '@agentkeep/testkit/agentkeep-process';
import { wherePossible } from '../../test/where-possible.js';

let home: string;
let disk: string;
let log: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-new-'));
  disk = join(home, 'disk');
  log = join(home, 'log');
  mkdirSync(disk);
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** Returns the names that survive a power loss at this moment. */
async function namesLeft(): Promise<string[]> {
  const { ino: inode } = await stat(disk, { bigint: true });
  const image = new DiskImage({ path: disk, inode });
  for (const record of readDiskLog(readFileSync(log))) image.take(record);
  const left = join(home, 'left');
  mkdirSync(left);
  image.writeTo(left, 'none', randomFrom(1));
  return readdirSync(left, { recursive: true }).map(String).sort();
}

test('a data directory two levels deep survives with all its parents', async (context) => {
  const shim = await wherePossible(context, () => buildDiskShim(home));
  bootstrapTenant(join(disk, 'var', 'data'), 'acme', shim({ root: disk, log }));
  expect(await namesLeft()).toEqual(
    expect.arrayContaining(['var', 'var/data', 'var/data/agentkeep.json', 'var/data/data.mdb']),
  );
});

test('a snapshot and a directory restored from it survive', async (context) => {
  const shim = await wherePossible(context, () => buildDiskShim(home));
  const variables = shim({ root: disk, log });
  const dataDir = join(disk, 'data');
  bootstrapTenant(dataDir, 'acme', variables);
  const taken = await runCommand(['snapshot', '--json', '--data-dir', dataDir], variables);
  const { path } = JSON.parse(taken.out) as { path: string };
  const target = join(disk, 'restored', 'data');
  const restored = await runCommand(['restore', path, '--data-dir', target], variables);
  expect(restored).toMatchObject({ status: 0, error: '' });
  const folder = path.slice(disk.length + 1);
  expect(await namesLeft()).toEqual(
    expect.arrayContaining([
      `${folder}/data.mdb`,
      `${folder}/manifest.json`,
      'restored/data/agentkeep.json',
      'restored/data/data.mdb',
    ]),
  );
});
