/** Files that are whole or absent, also after a power loss. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Writes a file unless there is one. Returns whether it did. */
export async function writeNew(path: string, bytes: Uint8Array): Promise<boolean> {
  const unfinished = await writeUnfinished(path, bytes);
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(unfinished, { force: true });
    await flushDirectory(dirname(path));
  }
}

/** Replaces a file. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await rename(await writeUnfinished(path, bytes), path);
  await flushDirectory(dirname(path));
}

/** Appends a line, durably. */
export async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', FILE_MODE);
  try {
    await file.writeFile(`${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Overwrites a file with zeros, then removes it. */
export async function wipeFile(path: string, bytes: number): Promise<void> {
  try {
    const file = await open(path, 'r+');
    try {
      await file.write(Buffer.alloc(bytes), 0, bytes, 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(path, { force: true });
  await flushDirectory(dirname(path));
}

async function writeUnfinished(path: string, bytes: Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  const file = await open(unfinished, 'wx', FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return unfinished;
}

async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
