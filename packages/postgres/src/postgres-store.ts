/**
 * A store on PostgreSQL, which several servers can share.
 */
import {
  AgentkeepError,
  type CommitCounts,
  type Entry,
  type HeldState,
  type ReadTx,
  type SnapshotTx,
  type Store,
  type StoreStats,
  storeError,
  type Supposed,
  type WriteTx,
} from '@agentkeep/core/store';
import { CommitQueue } from './commit/commit-queue.js';
import { Committer } from './commit/committer.js';
import { Database } from './database/database.js';
import { isUninstalled, storeFailure } from './database/failure.js';
import { GuessCache } from './guesses/guess-cache.js';
import { supposeOn } from './guesses/suppose.js';
import { lockingOf } from './locks/locking.js';
import { checkTables, migrate } from './migration/migrate.js';
import type { PostgresStoreOptions } from './settings/options.js';
import type { Parts } from './locks/parts.js';
import { holdState } from './read/held-state.js';
import { ReadQueue } from './read/read-queue.js';
import { type Settings, settingsOf } from './settings/settings.js';
import { statementsOf } from './database/statements.js';
import { storeStats, visitAll, writeBackup } from './read/whole-store.js';

/** Most waiting reads and writes. The next one is refused. */
export const BODIES_MAX = 65_536;

/** Most states that are held at once, each on a connection beside those of all other work. */
export const HELD_MAX = 4;

/**
 * Returns a store on PostgreSQL 15 or later. It connects at its first use, and creates its tables
 * then if they are missing. Any number of servers may use the same tables at once.
 * @throws {TypeError} An option is out of range.
 */
export function postgresStore(options: PostgresStoreOptions): Store & { readonly isShared: true } {
  const settings = settingsOf(options);
  return storeOn(settings, {
    work: new Database(settings),
    holding: new Database({ ...settings, maxConnections: HELD_MAX }),
  });
}

/** The connections of a store. It closes them when it is closed. */
export interface Connections {
  readonly work: Database;
  /** Those of held states, beside all other work. */
  readonly holding: Database;
}

/** Returns a store on given connections. */
export function storeOn(
  settings: Settings,
  connections: Connections,
): Store & { readonly isShared: true } {
  return new PostgresStore(settings, connections);
}

class PostgresStore implements Store {
  /** Other servers may write to it at the same time. */
  readonly isShared = true;
  readonly #parts: Parts;
  readonly #commits: CommitQueue;
  readonly #reads: ReadQueue;
  readonly #holding: Database;
  readonly #held = new Set<HeldState>();
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Reads and writes that were accepted but not answered. */
  readonly #bodies = new Set<Promise<unknown>>();
  /** Other calls that were accepted but not answered. */
  readonly #calls = new Set<Promise<unknown>>();

  constructor(settings: Settings, { work, holding }: Connections) {
    const statements = statementsOf(settings);
    this.#parts = {
      settings,
      statements,
      database: work,
      guesses: new GuessCache(settings.cacheBytes),
      locking: lockingOf(settings, statements),
    };
    this.#holding = holding;
    // One connection remains for other work: asking for outcomes of commits, pages of a scan.
    const half = Math.floor((settings.maxConnections - 1) / 2);
    const committer = new Committer(this.#parts);
    this.#commits = new CommitQueue(committer, this.#parts.guesses, half);
    this.#reads = new ReadQueue(this.#parts, settings.maxConnections - 1 - half);
  }

  read<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    return this.#submit(() => this.#reads.submit(body));
  }

  suppose<T>(body: (tx: ReadTx) => T): Supposed<T> | undefined {
    return this.#closing === undefined ? supposeOn(this.#parts.guesses, body) : undefined;
  }

  transact<T>(body: (tx: WriteTx) => T): Promise<T> {
    return this.#submit(() => this.#commits.submit(body));
  }

  hold(): Promise<HeldState> {
    return this.#accept(async () => {
      const { settings, statements } = this.#parts;
      const held = await holdState(this.#holding, settings, statements);
      this.#held.add(held);
      void held.ended.then(() => this.#held.delete(held));
      return held;
    });
  }

  backup(directory: string): Promise<void> {
    return this.#accept(() => writeBackup(this.#parts, directory));
  }

  stats(): Promise<StoreStats> {
    return this.#accept(() => storeStats(this.#parts));
  }

  waiting(): Promise<number> {
    return Promise.resolve(this.#bodies.size);
  }

  commits(): CommitCounts {
    return this.#commits.counts;
  }

  scan(visit: (entry: Entry) => void): Promise<void> {
    return this.#accept(() => visitAll(this.#parts, visit));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #submit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#bodies.size >= BODIES_MAX) {
      const detail = `${String(BODIES_MAX)} reads and writes are already waiting.`;
      return Promise.reject(storeError('store_unavailable', detail));
    }
    return this.#accept(work, this.#bodies);
  }

  /** Accepts a call, which is answered even if the store is closed meanwhile. */
  #accept<T>(work: () => Promise<T>, among = this.#calls): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(new AgentkeepError('store_closed'));
    const call = this.#open().then(work);
    among.add(call);
    const forget = (): void => void among.delete(call);
    call.then(forget, (error: unknown) => {
      forget();
      if (lacksTables(error)) this.#reopen();
    });
    return call;
  }

  /** Migrates the tables once. After a failure, the next call tries again. */
  #open(): Promise<void> {
    const { database, settings } = this.#parts;
    this.#opening ??= migrate(database, settings).catch((error: unknown) => {
      this.#opening = undefined;
      throw storeFailure(error);
    });
    return this.#opening;
  }

  /** A later release may have removed what this one needs: then all further calls are refused. */
  #reopen(): void {
    const { database, settings } = this.#parts;
    this.#opening = checkTables(database, settings).catch((error: unknown) => {
      if (error instanceof AgentkeepError && error.code === 'store_incompatible') throw error;
    });
    // The next call gets the refusal.
    this.#opening.catch(ignore);
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#bodies, ...this.#calls]);
    await Promise.allSettled(Array.from(this.#held, (held) => held.close()));
    await this.#holding.close();
    const { database, statements } = this.#parts;
    for (const { id, mark } of this.#commits.lanes) {
      // Optional: the next opening drops lanes that were not used for long.
      if (mark > 0n) await database.run(statements.closeLane, [String(id)]).catch(ignore);
    }
    await database.close();
  }
}

function lacksTables(error: unknown): boolean {
  return isUninstalled(error instanceof AgentkeepError ? error.cause : error);
}

function ignore(): void {
  return undefined;
}
