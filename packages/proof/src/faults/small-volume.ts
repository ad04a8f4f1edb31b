/**
 * A small volume in memory that a proof fills completely.
 */
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotRunHereError } from '../proof.js';

const run = promisify(execFile);

/** A mounted volume; disposing it unmounts it. */
export class SmallVolume implements AsyncDisposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Mounts a volume of a size on an empty directory.
   * @throws {CannotRunHereError} if this user may not mount.
   */
  static async mount(path: string, bytes: number): Promise<SmallVolume> {
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
    } catch {
      throw new CannotRunHereError('Mounting a small volume needs Linux and root; run as root.');
    }
    return new SmallVolume(path);
  }

  /** Fills the volume up to `leaving` free bytes. Resolves with a function that frees the space. */
  async fill(leaving: number): Promise<() => Promise<void>> {
    const ballast = join(this.#path, 'ballast');
    const { bavail, bsize } = await statfs(this.#path);
    const file = await open(ballast, 'w');
    try {
      const chunk = Buffer.alloc(bsize);
      const chunks = Math.max(0, Math.floor((bavail * bsize - leaving) / bsize));
      for (let written = 0; written < chunks; written += 1) await file.write(chunk);
    } catch (error) {
      // Other writers may have filled the volume earlier.
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      if (!isFull) throw error;
    } finally {
      await file.close();
    }
    return () => rm(ballast, { force: true });
  }

  /** Unmounts the volume and drops its contents. */
  async [Symbol.asyncDispose](): Promise<void> {
    await run('umount', ['-l', this.#path]);
  }
}
