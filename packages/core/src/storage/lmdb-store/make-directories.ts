/** Makes a directory and its missing parents. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './failure.js';

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
