/** Watches a target from outside, and reads processor times of processes, the same way for all. */
import type { ChildProcess } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How often a target is looked at, and how long one that has everything stays unchanged. */
const LOOK_MS = 50;
const REST_MS = 3_000;

/** Length of a tick of the processor times of Linux, in milliseconds. */
const TICK_MS = 10;

/** Looks at the newest piece of a target again and again. */
export class Watch {
  /** Age of the newest piece at each look while records are stored. */
  readonly lagsMs: number[] = [];
  readonly #target: string;
  readonly #timer: NodeJS.Timeout;
  #newestMs = Number.NaN;

  constructor(target: string) {
    this.#target = target;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  /** Resolves once a copy has begun. */
  static async untilFiles(target: string): Promise<void> {
    while ((await newestPiece(target)) === undefined) await pause(LOOK_MS);
  }

  /** Ends the looks and resolves once the target stays as it is. */
  async rested(): Promise<void> {
    clearInterval(this.#timer);
    for (;;) {
      const newest = await newestPiece(this.#target);
      if (newest !== undefined && Date.now() - newest > REST_MS) return;
      await pause(LOOK_MS);
    }
  }

  async #look(): Promise<void> {
    const newest = await newestPiece(this.#target);
    if (newest === undefined) return;
    // The piece of before the first record says nothing.
    if (Number.isNaN(this.#newestMs)) this.#newestMs = newest;
    if (newest !== this.#newestMs || this.lagsMs.length > 0) this.lagsMs.push(Date.now() - newest);
  }
}

/** Returns when the newest piece of a target was written, in Unix milliseconds. */
async function newestPiece(target: string): Promise<number | undefined> {
  const folder = await folderOfPieces(target);
  const names = await namesIn(folder);
  const last = names.sort().at(-1);
  // It may be replaced by another one meanwhile.
  return last === undefined
    ? undefined
    : stat(join(folder, last)).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      );
}

/** The folder of the log of Agentkeep, or of the newest generation of Litestream. */
async function folderOfPieces(target: string): Promise<string> {
  const [generation] = await namesIn(join(target, 'generations'));
  return generation === undefined
    ? join(target, 'log')
    : join(target, 'generations', generation, 'wal');
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Returns the bytes of all files below a folder. */
export async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async (file) => (await stat(join(file.parentPath, file.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Returns the processor time of processes and of their children that ended, in milliseconds. */
export async function processorMsOf(processes: readonly ChildProcess[]): Promise<number> {
  const times = processes.map(({ pid }) => ticksIn(`/proc/${String(pid)}/stat`, 4));
  return (await Promise.all(times)).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS;
}

/**
 * Returns the processor time of the thread of the event loop, in milliseconds. All commands pass
 * it, so it bounds their rate where other threads have processors of their own.
 */
export async function loopMsOf({ pid }: ChildProcess): Promise<number> {
  return (await ticksIn(`/proc/${String(pid)}/task/${String(pid)}/stat`, 2)) * TICK_MS;
}

/** Adds the first ones of user and system time, and those of children that ended, see proc(5). */
async function ticksIn(file: string, count: 2 | 4): Promise<number> {
  const text = await readFile(file, 'utf8');
  // After the name, which may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 11 + count).reduce((sum, field) => sum + Number(field), 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
