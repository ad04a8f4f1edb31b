/**
 * The possible contents of a disk follow from the syncs alone.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomFrom } from '@agentkeep/testkit/random';
import { DiskImage } from './disk-image.js';
import type { DiskRecord } from './disk-log.js';
import type { Remnant } from './file-image.js';

const random = randomFrom(1);
const page = (letter: string) => Buffer.alloc(4_096, letter);
const write = (offset: number, bytes: Buffer, isDurable = false): DiskRecord => ({
  type: 'write',
  inode: 7n,
  offset,
  bytes,
  isDurable,
});
const sync = (inode: bigint, number = 1n): DiskRecord[] => [
  { type: 'sync-begin', inode, sync: number },
  { type: 'sync-end', inode, sync: number },
];
const madeFile: DiskRecord = { type: 'make-file', inode: 7n, path: '/disk/file' };

let home: string;
let written = 0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentkeep-image-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Returns the files that survive a power loss, with their contents. */
function left(records: readonly DiskRecord[], remnant: Remnant): Record<string, string> {
  const image = new DiskImage({ path: '/disk', inode: 1n });
  for (const record of records) image.take(record);
  const target = join(home, String((written += 1)));
  mkdirSync(target);
  image.writeTo(target, remnant, random);
  const names = readdirSync(target, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name, parentPath }) => [
      join(parentPath, name).slice(target.length + 1),
      readFileSync(join(parentPath, name), 'latin1'),
    ]),
  );
}

test('synced contents survive, and others are lost, partial or blank', () => {
  const records = [
    madeFile,
    write(0, page('a')),
    ...sync(7n),
    ...sync(1n, 2n),
    ...Array.from({ length: 64 }, (_, at) => write(4_096 * (1 + at), page('b'))),
  ];
  const kept = page('a').toString();
  expect(left(records, 'none')).toEqual({ file: kept });
  expect(left(records, 'metadata')).toEqual({ file: kept + '\0'.repeat(64 * 4_096) });
  const half = left(records, 'half')['file']!;
  expect(half.startsWith(kept)).toBe(true);
  const pages = half.match(/b{4096}/g)!.length;
  expect(pages).toBeGreaterThan(16);
  expect(pages).toBeLessThan(48);
});

test('a sync covers earlier writes, and a durable write needs no sync', () => {
  const records: DiskRecord[] = [
    madeFile,
    ...sync(1n, 1n),
    { type: 'sync-begin', inode: 7n, sync: 2n },
    write(0, page('a')),
    { type: 'sync-end', inode: 7n, sync: 2n },
  ];
  expect(left(records, 'none')).toEqual({ file: '' });
  expect(left([...records, write(0, Buffer.from('b'), true)], 'none')).toEqual({ file: 'b' });
});

test('names survive once their directory is synced, and later names survive in order', () => {
  const inside: DiskRecord = { type: 'make-file', inode: 7n, path: '/disk/data/file' };
  const records: DiskRecord[] = [
    { type: 'make-directory', inode: 2n, path: '/disk/data' },
    inside,
    ...sync(2n),
  ];
  expect(left(records, 'none')).toEqual({});
  expect(left([...records, ...sync(1n, 2n)], 'none')).toEqual({ 'data/file': '' });
  const renamed: DiskRecord[] = [
    ...records,
    ...sync(1n, 2n),
    { type: 'rename', from: '/disk/data/file', to: '/disk/data/other' },
  ];
  expect(left(renamed, 'none')).toEqual({ 'data/file': '' });
  expect(left(renamed, 'metadata')).toEqual({ 'data/other': '' });
});

test('a reused inode is another file', () => {
  const records: DiskRecord[] = [
    { type: 'make-directory', inode: 7n, path: '/disk/old' },
    { type: 'make-file', inode: 8n, path: '/disk/old/inside' },
    { type: 'remove', path: '/disk/old/inside' },
    { type: 'remove', path: '/disk/old' },
    madeFile,
    ...sync(1n),
    ...sync(7n, 2n),
  ];
  expect(left(records, 'none')).toEqual({ file: '' });
});
