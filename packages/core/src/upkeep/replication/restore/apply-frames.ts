/** Applies the frames of another store to a copy of it that no process has open. */
import { rm } from 'node:fs/promises';
import { decodeFrame, type FramePoint, pointOfFrame } from '../../../storage/frames/frame.js';
import { checkDataFile, dataFileOf, lockFileOf } from '../../../storage/lmdb-store/data-file.js';
import { syncFile } from '../../../storage/lmdb-store/directory.js';
import type { Environment } from '../../../storage/lmdb-store/environment.js';
import { fileFailure } from '../../../storage/lmdb-store/failure.js';
import { MAP_SIZE_BYTES } from '../../../storage/lmdb-store/open-root.js';
import { openClaimed } from '../../../storage/lmdb-store/open-lmdb-store.js';
import type { Manifest } from '../../../storage/lmdb-store/manifest.js';

/** A copy that is open for frames. */
export class FrameApplier {
  readonly #directory: string;
  readonly #environment: Environment;
  readonly #noteLast: (last: FramePoint) => void;
  readonly #isSynced: boolean;

  private constructor(directory: string, environment: Environment, isSynced: boolean) {
    this.#directory = directory;
    this.#environment = environment;
    this.#noteLast = environment.followFrames();
    this.#isSynced = isSynced;
  }

  /**
   * Opens the data file of a directory, whose manifest need not be there. With `isSynced` frames
   * are durable once they are applied, else when the applier is closed.
   * @throws {AgentkeepError} `store_in_use`; `store_incompatible` if the data file is damaged or
   * of another store.
   */
  static async open(
    directory: string,
    manifest: Manifest,
    { isSynced }: { readonly isSynced: boolean },
  ): Promise<FrameApplier> {
    try {
      await checkDataFile(directory, 'pages');
      const options = { directory, mapSizeBytes: MAP_SIZE_BYTES, isSynced };
      return new FrameApplier(directory, await openClaimed(options, manifest), isSynced);
    } catch (error) {
      throw fileFailure(error);
    }
  }

  /**
   * Applies encoded frames in one transaction, which also notes the last one of them. Frames may be
   * applied again, in order, after an interruption.
   * @throws {AgentkeepError} `storage_inconsistency` if a frame is damaged; `store_unavailable` if
   * the disk fails.
   */
  apply(encoded: readonly Uint8Array[]): void {
    const frames = encoded.map(decodeFrame);
    const last = encoded.at(-1);
    if (last === undefined) return;
    try {
      this.#environment.write((target) => {
        for (const { writes } of frames) {
          for (const [key, value] of writes) {
            if (value === undefined) target.remove(key);
            else target.put(key, value);
          }
        }
        this.#noteLast(pointOfFrame(last));
      });
    } catch (error) {
      throw fileFailure(error);
    }
  }

  /** Closes the data file, which is durable then, and leaves no lock file. */
  async close(): Promise<void> {
    await this.#environment.close();
    if (!this.#isSynced) await syncFile(dataFileOf(this.#directory));
    await rm(lockFileOf(this.#directory), { force: true });
  }
}
