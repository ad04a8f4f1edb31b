/** Decides whether the mode of a file or directory keeps other users out. */

const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;

/** Mode and owner of a file or directory, as the file system states them. */
export interface FileAccess {
  readonly isDirectory: boolean;
  readonly mode: number;
  readonly uid: number;
}

/**
 * - `private`: no access for others, or for a group that was chosen
 * - `tighten`: this user owns it, and others have access
 * - `open`: another user owns it, and everybody has access
 */
export type AccessDecision = 'private' | 'tighten' | 'open';

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
