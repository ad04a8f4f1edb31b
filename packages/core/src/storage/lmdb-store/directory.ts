/** Files and directories of a store. They are private, and durable on return. */
import { randomUUID } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { link, mkdir, mkdtemp, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { storeError } from '../store/store-error.js';
import { codeOf } from './failure.js';
import { DIRECTORY_MODE, FILE_MODE, makeEmptyPrivate } from './private-files.js';

/** Prefix of temporary names, until a file or directory is complete. */
const UNFINISHED_PREFIX = '.unfinished-';

/** File systems without reliable local maps and locks, by their type in `statfs`. */
const REMOTE_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/**
 * Creates a directory that only its owner can enter, or uses an existing one, which is made private
 * if it is empty. Its name is durable before anything is written into it.
 */
export async function ensureDirectory(directory: string): Promise<void> {
  const path = resolve(directory);
  const firstMade = await makeDirectories(path, DIRECTORY_MODE);
  if (!(await isEmpty(path))) return;
  await makeEmptyPrivate(path);
  await syncNames(path, firstMade ?? path);
}

/** Returns whether a directory has no entries. */
export async function isEmpty(directory: string): Promise<boolean> {
  return (await readdir(directory)).length === 0;
}

/**
 * Refuses network file systems and those served by another process.
 *
 * @throws {AgentkeepError} `store_incompatible`
 */
export async function assertLocalFileSystem(directory: string): Promise<void> {
  const { type } = await statfs(directory);
  const name = REMOTE_FILE_SYSTEMS.get(type >>> 0);
  if (name === undefined) return;
  throw storeError(
    'store_incompatible',
    `${directory} is on ${name}. Use a directory on a local disk.`,
  );
}

/** Returns the free bytes on the file system of a directory that this process may use. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Writes a private file durably, replacing an existing one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeBeside(path, text, (temporary) => rename(temporary, path));
}

/** Writes a private file durably. An existing file stays as it is. */
export async function createFile(path: string, text: string): Promise<void> {
  await writeBeside(path, text, (temporary) => linkUnlessTaken(temporary, path));
}

/**
 * Creates a private directory for files that move into its parent once they are complete. A label
 * says what they will be.
 */
export function makeUnfinishedDirectory(parent: string, label = ''): Promise<string> {
  const prefix = label === '' ? UNFINISHED_PREFIX : `${UNFINISHED_PREFIX}${label}-`;
  return mkdtemp(join(parent, prefix));
}

/** Returns the label of an unfinished directory; an empty text for one without. */
export function labelOf(name: string): string {
  if (!isUnfinished(name)) return '';
  return name.slice(UNFINISHED_PREFIX.length, Math.max(0, name.lastIndexOf('-')));
}

/** Returns whether a name is temporary. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(UNFINISHED_PREFIX);
}

/** Returns a new temporary name in a directory. */
export function unfinishedName(directory: string): string {
  return join(directory, `${UNFINISHED_PREFIX}${randomUUID()}`);
}

/** Removes temporary files and directories that interrupted processes left behind. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!isUnfinished(name)) continue;
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Links a complete file to a second name atomically. An existing file stays as it is. */
export async function linkUnlessTaken(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Makes a file private and its contents durable. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(FILE_MODE);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a directory durable. Does nothing on Windows, which does not need it. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the name of a directory durable, and those of its parents from the first new one down. */
async function syncNames(directory: string, first: string): Promise<void> {
  let named = directory;
  for (;;) {
    const parent = dirname(named);
    try {
      await syncDirectory(parent);
    } catch (error) {
      // A process may use a directory without permission to read its parent.
      if (codeOf(error) !== 'EACCES') throw error;
    }
    if (named === first || parent === named) return;
    named = parent;
  }
}

async function writeBeside(
  path: string,
  text: string,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const directory = dirname(path);
  const temporary = unfinishedName(directory);
  try {
    const file = await open(temporary, 'wx', FILE_MODE);
    try {
      await file.chmod(FILE_MODE);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await publish(temporary);
    await syncDirectory(directory);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Makes a directory and its missing parents, all with one mode. Returns the first one made, if any.
 * `mkdir` of Node.js does not return with `recursive` where a file system has a parent but refuses
 * new names as missing, as `/proc` does.
 */
export async function makeDirectories(path: string, mode: number): Promise<string | undefined> {
  try {
    return (await isMade(path, mode)) ? path : undefined;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const first = await makeDirectories(dirname(path), mode);
  return (await isMade(path, mode)) ? (first ?? path) : first;
}

/** Makes one directory. Returns whether it is new. */
async function isMade(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (await isDirectory(path)) return false;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
