/**
 * A small volume of memory that a proof fills to the brim.
 * @module
 */
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotRunHereError } from '../proof.js';

const run = promisify(execFile);

/** Mounted until it is disposed of. */
export class SmallVolume implements AsyncDisposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Mounts a volume of some bytes on an empty directory.
   * @throws {CannotRunHereError} where this user may not mount.
   */
  static async mount(path: string, bytes: number): Promise<SmallVolume> {
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
    } catch {
      throw new CannotRunHereError('A volume to fill up is mounted as root on Linux; run as root.');
    }
    return new SmallVolume(path);
  }

  /** Takes all free space but so many bytes; resolves with what gives it back. */
  async fill(leaving: number): Promise<() => Promise<void>> {
    const ballast = join(this.#path, 'ballast');
    const { bavail, bsize } = await statfs(this.#path);
    const file = await open(ballast, 'w');
    try {
      const chunk = Buffer.alloc(bsize);
      const chunks = Math.max(0, Math.floor((bavail * bsize - leaving) / bsize));
      for (let written = 0; written < chunks; written += 1) await file.write(chunk);
    } catch (error) {
      // Others may have written meanwhile, so that it is full before its time.
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      if (!isFull) throw error;
    } finally {
      await file.close();
    }
    return () => rm(ballast, { force: true });
  }

  /** Takes it away with all that is in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await run('umount', ['-l', this.#path]);
  }
}
