/** Reads all files of a directory, to search them for what must not be there. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns every file below a directory, as text of one character per byte. */
export async function bytesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const parts = files.map(async ({ parentPath, name }) =>
    (await readFile(join(parentPath, name))).toString('latin1'),
  );
  return (await Promise.all(parts)).join('');
}
