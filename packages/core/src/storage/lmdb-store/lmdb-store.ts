/** Implements the store port over one claimed LMDB environment. */
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { copyBytes } from '../store/bytes.js';
import type { Positions } from '../store/position.js';
import type {
  CommitCounts,
  CommitObserver,
  Entry,
  HeldState,
  KeyRange,
  SnapshotTx,
  Store,
  StoreStats,
  WriteTx,
} from '../store/store.js';
import { runReadBody } from '../store/overlay.js';
import { backUpStore } from './backup.js';
import { dataFileOf } from './data-file.js';
import type { Environment, HeldEnvironment } from './environment.js';
import type { GroupCommit } from './group-commit.js';
import type { Manifest } from './manifest.js';

/** Entries that a scan visits before it yields to other work. */
const SCAN_SLICE = 512;

/** The parts of a store, once its directory is open. */
export interface LmdbStoreParts {
  readonly directory: string;
  readonly manifest: Manifest;
  readonly environment: Environment;
  readonly commits: GroupCommit;
  readonly positions: Positions;
  /** Ends the work beside the store and records the close. Called once, after the last write. */
  readonly finish?: () => Promise<void>;
  /** Releases the directory for the next opening. Called once, after everything is closed. */
  readonly release: () => void;
}

/** Assembles a store from its parts. */
export function assembleLmdbStore(parts: LmdbStoreParts): Store {
  return new LmdbStore(parts);
}

class LmdbStore implements Store {
  readonly isShared = false;
  readonly #parts: LmdbStoreParts;
  readonly #state: SnapshotTx;
  readonly #backups = new Set<Promise<void>>();
  readonly #held = new Set<HeldEnvironment>();
  readonly #fileId: number;
  #closing: Promise<void> | undefined;

  constructor(parts: LmdbStoreParts) {
    this.#parts = parts;
    this.#fileId = statSync(dataFileOf(parts.directory)).ino;
    const { environment, positions } = parts;
    this.#state = {
      get: (key) => environment.get(key),
      range: (range) => environment.range(range),
      horizon: () => positions.horizon,
    };
  }

  read<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    return new Promise((resolve) => {
      this.#assertUsable();
      resolve(runReadBody(this.#state, body));
    });
  }

  transact<T>(body: (tx: WriteTx) => T): Promise<T> {
    // Returns the promise of the queue unwrapped, because every write takes this path.
    const refusal = this.#refusal();
    return refusal === undefined ? this.#parts.commits.submit(body) : Promise.reject(refusal);
  }

  observe(observer: CommitObserver): void {
    this.#parts.commits.observe(observer);
  }

  /** What is written to a file that was removed or replaced is lost at the end of the process. */
  async isInPlace(): Promise<boolean> {
    try {
      return (await stat(dataFileOf(this.#parts.directory))).ino === this.#fileId;
    } catch {
      return false;
    }
  }

  async backup(directory: string): Promise<void> {
    this.#assertUsable();
    const source = { ...this.#parts, reserveBytes: this.#parts.commits.reserveBytes };
    const endAside = this.#parts.commits.commitInBackground();
    const backup = backUpStore(source, directory).finally(() => {
      endAside();
      this.#backups.delete(backup);
    });
    this.#backups.add(backup);
    return backup;
  }

  async hold(): Promise<HeldState> {
    this.#assertUsable();
    // What is held must be durable, as what reads see is.
    await this.#parts.commits.untilAsideEnds();
    this.#assertUsable();
    const held = this.#parts.environment.hold();
    this.#held.add(held);
    return {
      entries: (range) =>
        new Promise((resolve) => {
          resolve(this.#entriesIn(held, range));
        }),
      close: () => {
        if (this.#held.delete(held)) held.end();
        return Promise.resolve();
      },
    };
  }

  #entriesIn(held: HeldEnvironment, range: KeyRange): Entry[] {
    this.#assertUsable();
    if (!this.#held.has(held)) throw new AgentkeepError('store_closed');
    return Array.from(held.range(range), ({ key, value }) => ({
      key: copyBytes(key),
      value: copyBytes(value),
    }));
  }

  async stats(): Promise<StoreStats> {
    this.#assertUsable();
    // Statistics come from the newest state, which must be the one that reads see.
    await this.#parts.commits.untilAsideEnds();
    const { entries, mapSizeBytes } = this.#parts.environment.stats();
    const { size } = await stat(dataFileOf(this.#parts.directory));
    return { entries, sizeBytes: size, mapSizeBytes };
  }

  waiting(): Promise<number> {
    return Promise.resolve(this.#parts.commits.waiting);
  }

  commits(): CommitCounts {
    return this.#parts.commits.counts;
  }

  async scan(visit: (entry: Entry) => void): Promise<void> {
    let after: Uint8Array | undefined;
    do {
      if (after !== undefined) await setImmediate();
      this.#assertUsable();
      after = this.#visitSlice(after, visit);
    } while (after !== undefined);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Visits one slice after a key. Returns its last key, or `undefined` at the end. */
  #visitSlice(
    after: Uint8Array | undefined,
    visit: (entry: Entry) => void,
  ): Uint8Array | undefined {
    let last: Uint8Array | undefined;
    let visited = 0;
    for (const entry of this.#parts.environment.after(after, SCAN_SLICE)) {
      visited += 1;
      // Copied before the visit, which may overwrite the borrowed bytes.
      if (visited === SCAN_SLICE) last = copyBytes(entry.key);
      visit(entry);
    }
    return last;
  }

  #assertUsable(): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
  }

  #refusal(): AgentkeepError | undefined {
    if (this.#closing !== undefined) return new AgentkeepError('store_closed');
    return this.#parts.commits.fatalError;
  }

  async #close(): Promise<void> {
    await this.#parts.commits.drain();
    await Promise.allSettled(this.#backups);
    for (const held of this.#held) held.end();
    this.#held.clear();
    try {
      await this.#parts.finish?.();
    } finally {
      await this.#parts.environment.close();
      this.#parts.release();
    }
  }
}
