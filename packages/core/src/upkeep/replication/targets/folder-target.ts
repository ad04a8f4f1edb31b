/**
 * A folder as a replication target: another disk or a network share. An object is a file. It is
 * written under a temporary name, flushed, and linked to its own name, which only one writer can.
 */
import { constants, type Stats } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { syncDirectory, syncFile } from '../../../storage/lmdb-store/directory.js';
import { codeOf } from '../../../storage/lmdb-store/failure.js';
import { DIRECTORY_MODE, FILE_MODE } from '../../../storage/lmdb-store/private-files.js';
import {
  LISTED_NAMES_MAX,
  type ReplicaTarget,
  requireObjectName,
  targetUnavailable,
  targetUnsuitable,
} from './replica-target.js';

/** The folder of unfinished files, which is no part of any object's name. */
const UNFINISHED = '.unfinished';

/** Unfinished files of this age belong to no writer that still lives, in milliseconds. */
const ABANDONED_MS = 86_400_000;

/** Codes of a file system without links. */
const NO_LINKS = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Codes of a path that this user cannot use as a folder. */
const UNUSABLE = new Set<unknown>(['ENOTDIR', 'EACCES', 'EROFS', 'ENOENT']);

/**
 * Opens a folder, which is made if its parent is there.
 * @throws {AgentkeepError} `replica_unsuitable` if this user cannot write to it, or if it is on a
 * file system without links; `replica_unavailable` if the disk fails.
 */
export async function openFolderTarget(path: string): Promise<ReplicaTarget> {
  const root = resolve(path);
  try {
    await mkdir(root, { mode: DIRECTORY_MODE }).catch(unlessCode('EEXIST'));
    await mkdir(join(root, UNFINISHED), { mode: DIRECTORY_MODE }).catch(unlessCode('EEXIST'));
    const target = new FolderTarget(root, await stat(root));
    await removeAbandoned(join(root, UNFINISHED));
    await requireLinks(root);
    return target;
  } catch (error) {
    throw UNUSABLE.has(codeOf(error)) ? unusable(root, error) : translated(root, error);
  }
}

function unusable(root: string, cause: unknown): Error {
  const message = `${root} can't be used (${String(codeOf(cause))}). Name a folder that this user may write to.`;
  return targetUnsuitable(message, cause);
}

function translated(root: string, error: unknown): unknown {
  return codeOf(error) === undefined ? error : targetUnavailable(root, error);
}

function unlessCode(code: string) {
  return (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
    return undefined;
  };
}

/** Tries a link before anything depends on one. */
async function requireLinks(root: string): Promise<void> {
  const [from, to] = [randomUUID(), randomUUID()].map((name) => join(root, UNFINISHED, name));
  if (from === undefined || to === undefined) throw new Error('unreachable');
  try {
    await (await open(from, 'wx', FILE_MODE)).close();
    await link(from, to);
  } catch (cause) {
    if (!NO_LINKS.has(codeOf(cause))) throw cause;
    const message = `${root} is on a file system without links. Name a folder on another one.`;
    throw targetUnsuitable(message, cause);
  } finally {
    await rm(from, { force: true });
    await rm(to, { force: true });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(unlessCode('ENOENT'));
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

class FolderTarget implements ReplicaTarget {
  readonly address: string;
  readonly #root: string;
  /** The folder as it was opened. */
  readonly #opened: Stats;

  constructor(root: string, opened: Stats) {
    this.address = root;
    this.#root = root;
    this.#opened = opened;
  }

  list(prefix: string, after = ''): Promise<string[]> {
    return this.#use(async () => {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const found = await namesBelow(join(this.#root, folder), folder);
      const names = found.filter((name) => name.startsWith(prefix) && name > after);
      return names.sort().slice(0, LISTED_NAMES_MAX);
    });
  }

  read(name: string): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(name);
    return this.#use(() => readFile(path).catch(unlessCode('ENOENT')));
  }

  create(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.#write(name, (unfinished) => writeWhole(unfinished, bytes), linked);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#write(name, (unfinished) => writeWhole(unfinished, bytes), renamed);
  }

  createFrom(name: string, file: string): Promise<boolean> {
    return this.#write(name, (unfinished) => copyWhole(file, unfinished), linked);
  }

  readTo(name: string, file: string): Promise<boolean> {
    const path = this.#pathOf(name);
    return this.#use(async () => {
      if ((await stat(path).catch(unlessCode('ENOENT'))) === undefined) return false;
      await copyWhole(path, file);
      return true;
    });
  }

  remove(name: string): Promise<void> {
    const path = this.#pathOf(name);
    return this.#use(async () => {
      await rm(path, { force: true });
      await syncDirectory(dirname(path)).catch(unlessCode('ENOENT'));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #pathOf(name: string): string {
    requireObjectName(name);
    return join(this.#root, name);
  }

  #write(
    name: string,
    fill: (unfinished: string) => Promise<void>,
    publish: (unfinished: string, path: string) => Promise<boolean>,
  ): Promise<boolean> {
    const path = this.#pathOf(name);
    return this.#use(async () => {
      const unfinished = join(this.#root, UNFINISHED, randomUUID());
      const folder = dirname(path);
      // Also if another writer made it: its flush may still be under way.
      let flushed: Promise<void> | undefined;
      try {
        await fill(unfinished);
        const isMade = await publish(unfinished, path).catch(async (error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw error;
          await this.#makeFolder(folder);
          return publish(unfinished, path);
        });
        flushed = syncDirectory(folder);
        return isMade;
      } finally {
        await Promise.all([flushed, unlink(unfinished).catch(() => undefined)]);
      }
    });
  }

  /** Makes the folder of an object and those above it, durably. */
  async #makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: DIRECTORY_MODE });
    if (first === undefined) return;
    for (let made = folder; made.length >= first.length; made = dirname(made)) {
      await syncDirectory(dirname(made));
    }
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#requireSameFolder();
      return await work();
    } catch (error) {
      throw translated(this.address, error);
    }
  }

  /** A share that is no longer mounted leaves an empty folder of the local disk behind. */
  async #requireSameFolder(): Promise<void> {
    const { dev, ino } = await stat(this.#root);
    if (dev === this.#opened.dev && ino === this.#opened.ino) return;
    throw targetUnavailable(this.address, new Error('Another folder is mounted there now.'));
  }
}

/** Returns the names of the objects in a folder and below; none if it is absent. */
async function namesBelow(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessCode('ENOENT'));
  const names: string[] = [];
  for (const entry of entries ?? []) {
    if (entry.name === UNFINISHED) continue;
    const name = `${prefix}${entry.name}`;
    if (!entry.isDirectory()) names.push(name);
    else names.push(...(await namesBelow(join(folder, entry.name), `${name}/`)));
  }
  return names;
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await syncFile(to);
}

async function linked(unfinished: string, path: string): Promise<boolean> {
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // A network share repeats a link whose answer was lost, and is refused by its own first try.
    return (await stat(unfinished)).nlink > 1;
  }
}

async function renamed(unfinished: string, path: string): Promise<boolean> {
  await rename(unfinished, path);
  return true;
}
