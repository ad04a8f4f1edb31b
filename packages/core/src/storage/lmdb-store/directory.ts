/**
 * The files and directories of a store: private to their owner, and durable once a call returns.
 * @module
 */
import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, mkdtemp, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from './failure.js';
import { storeError } from '../store/store-error.js';

const DIRECTORY_MODE = 0o700;

/** Begins the name of everything that has not got its own name yet. */
const UNFINISHED_PREFIX = '.unfinished-';

/** The mode of every file of a store. */
export const FILE_MODE = 0o600;

/** File systems whose maps or locks other machines share, by the type that `statfs` gives. */
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
 * Makes a directory that only its owner can enter, or takes the empty one that is there. Its name
 * is durable before anything is in it.
 */
export async function ensureDirectory(directory: string): Promise<void> {
  const path = resolve(directory);
  const firstMade = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  if (!(await isEmpty(path))) return;
  // The mode given to mkdir is cut by the umask and says nothing of a directory that was there.
  await chmod(path, DIRECTORY_MODE);
  await syncNames(path, firstMade ?? path);
}

/** Whether a directory has no entries. */
export async function isEmpty(directory: string): Promise<boolean> {
  return (await readdir(directory)).length === 0;
}

/**
 * Refuses a file system that other machines share or that a process of its own serves.
 * @throws {AgentkeepError} `store_incompatible`
 */
export async function assertLocalFileSystem(directory: string): Promise<void> {
  const { type } = await statfs(directory);
  const name = REMOTE_FILE_SYSTEMS.get(type >>> 0);
  if (name === undefined) return;
  throw storeError('store_incompatible', `${directory} is on ${name}; a store needs a local disk.`);
}

/** Free bytes on the file system of a directory that this process may use. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Writes a private file durably in place of whatever has its name. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeBeside(path, text, (temporary) => rename(temporary, path));
}

/** Writes a private file durably, unless its name is taken; whoever took it stays. */
export async function createFile(path: string, text: string): Promise<void> {
  await writeBeside(path, text, (temporary) => linkUnlessTaken(temporary, path));
}

/** Makes a private directory for files that move into its parent once they are complete. */
export function makeUnfinishedDirectory(parent: string): Promise<string> {
  return mkdtemp(join(parent, UNFINISHED_PREFIX));
}

/** Whether a name is that of something that is not finished. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(UNFINISHED_PREFIX);
}

/** A name for something that is not finished yet, in the directory in which it will be. */
export function unfinishedName(directory: string): string {
  return join(directory, `${UNFINISHED_PREFIX}${randomUUID()}`);
}

/** Removes what processes left that ended before they had finished it. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!isUnfinished(name)) continue;
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Gives a complete file a second name at once, unless that name is taken. */
export async function linkUnlessTaken(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Makes the contents of a file durable, and the file private. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(FILE_MODE);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a directory durable. Windows cannot and need not. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the name of a directory durable, and those above it down from the first that is new. */
async function syncNames(directory: string, first: string): Promise<void> {
  let named = directory;
  for (;;) {
    const parent = dirname(named);
    try {
      await syncDirectory(parent);
    } catch (error) {
      // Whoever may not read the place of a directory may still work in it.
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
