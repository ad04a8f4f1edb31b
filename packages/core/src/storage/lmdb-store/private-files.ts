/** Keeps other users out of the files of a store. Does nothing on systems without users. */
import { chmod, stat } from 'node:fs/promises';
import { storeError } from '../store/store-error.js';
import { codeOf } from './failure.js';

/** The mode of every directory of a store. */
export const DIRECTORY_MODE = 0o700;

/** The mode of every file of a store. */
export const FILE_MODE = 0o600;

/**
 * Makes a new, empty directory private. Its group may use it if another user owns it.
 *
 * @throws {AgentkeepError} `store_incompatible` if another user owns it and everybody has access.
 */
export async function makeEmptyPrivate(directory: string): Promise<void> {
  const ownUid = process.geteuid?.();
  if (ownUid === undefined) return;
  const found = await accessOf(directory);
  // The umask restricts the mode given to mkdir, and mkdir ignores an existing directory.
  if (found?.uid === ownUid) await chmod(directory, DIRECTORY_MODE);
  else await makePrivate(directory);
}

/**
 * Makes the directory of an existing store and its files private.
 *
 * @throws {AgentkeepError} `store_incompatible` if another user owns one of them and everybody has
 * access to it.
 */
export async function makeStorePrivate(directory: string, files: readonly string[]): Promise<void> {
  for (const path of [directory, ...files]) await makePrivate(path);
}

async function makePrivate(path: string): Promise<void> {
  const ownUid = process.geteuid?.();
  const found = ownUid === undefined ? undefined : await accessOf(path);
  if (ownUid === undefined || found === undefined) return;
  const decision = decideAccess(found, ownUid);
  if (decision === 'open') throw isOpen(path, found);
  if (decision === 'tighten') await chmod(path, tightened(found));
}

/** Returns `undefined` for a file that does not exist. */
async function accessOf(path: string): Promise<FileAccess | undefined> {
  try {
    const found = await stat(path);
    return { isDirectory: found.isDirectory(), mode: found.mode, uid: found.uid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isOpen(path: string, { mode, uid }: FileAccess): Error {
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return storeError(
    'store_incompatible',
    `${path} belongs to another user (uid ${uid}), and its mode ${shown} gives every user access. ` +
      'Take that away (chmod o-rwx), give it to this user, or name a new directory inside.',
  );
}

const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;

/** Mode and owner of a file or directory, as the file system states them. */
interface FileAccess {
  readonly isDirectory: boolean;
  readonly mode: number;
  readonly uid: number;
}

/**
 * - `private`: no access for others, or for a group that was chosen
 * - `tighten`: this user owns it, and others have access
 * - `open`: another user owns it, and everybody has access
 */
type AccessDecision = 'private' | 'tighten' | 'open';

/**
 * Decides on one file or directory. Files of this user are for this user alone. A directory, or a
 * file of another user such as a volume, may give access to a group.
 */
export function decideAccess(found: FileAccess, ownUid: number): AccessDecision {
  const { isDirectory, mode, uid } = found;
  if (uid !== ownUid) return (mode & OTHERS) === 0 ? 'private' : 'open';
  return (mode & (isDirectory ? OTHERS : GROUP_AND_OTHERS)) === 0 ? 'private' : 'tighten';
}

/** Returns the tightened mode of a file or directory. */
export function tightened({ isDirectory, mode }: FileAccess): number {
  return mode & 0o777 & ~(isDirectory ? OTHERS : GROUP_AND_OTHERS);
}
