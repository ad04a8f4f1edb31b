/** Rights that a private file or directory gives to others. */

/** Rights of the group and of others. */
const FOREIGN_RIGHTS = 0o077;

/**
 * Returns the mode as three octal digits if others have rights, else `undefined`. Windows has no
 * such rights.
 */
export function foreignRights(mode: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  return (mode & FOREIGN_RIGHTS) === 0 ? undefined : (mode & 0o777).toString(8);
}
