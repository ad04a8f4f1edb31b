/**
 * Keeps the level of a store: announces this server to the others of a shared store, raises the
 * level when every server supports a higher one, and notices when it was raised.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { type Levels, SIGN_OF_LIFE_MAX_MS, SIGN_OF_LIFE_MS } from '../../contract/levels.js';
import { CONTRACT_DOCUMENT_VERSION } from '../../contract/version.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, Store, Transactions, WriteTx } from '../../storage/store/store.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import { Port } from '../ports/port.js';
import { Sweeper } from '../services/sweeper.js';
import { nextLevel, type ServerState, type StoredLevel } from './level-decision.js';
import {
  aliveServers,
  isEmpty,
  type LevelReport,
  levelReport,
  putLevel,
  removeGone,
  requireLevel,
  servers,
  shownServer,
  type ShownServer,
} from './level-store.js';

/**
 * Returns the level of the store, as it was at the last sign of life. It never goes down, so what
 * it allows may be written; a server that hasn't noticed a raise goes on as before.
 */
export const levelInForce = new Port<() => number>('levelInForce');

const ID_BYTES = 16;

/** What the keeper of a level needs. */
export interface LevelParts {
  readonly store: Pick<Store, 'read' | 'transact' | 'isShared'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly levels: Levels;
  /** Whether the level is raised without being asked. */
  readonly isAutomatic: boolean;
}

/** What an open keep adds: the store with its participants, and the audit event of a raise. */
export interface RaiseParts {
  readonly store: Transactions;
  /** Returns what records a raise in its commit. */
  readonly raiseRecord: () => (tx: WriteTx) => void;
}

/** The outcome of an attempt to raise the level. */
export interface LevelRaise {
  readonly level: number;
  /** Whether this call raised it. */
  readonly is_raised: boolean;
  /** The servers that don't support the next level, if there are any. */
  readonly unsupported_by: readonly ShownServer[];
}

/** The level of an open store. */
export class LevelKeeper extends Sweeper {
  readonly #parts: LevelParts;
  readonly #id: string;
  readonly #startedAtMillis: number;
  #raising: RaiseParts | undefined;
  #found: Standing;
  /** When this server gave its last sign of life, in the monotonic time of the clock. */
  #seenMs: number;
  #refusal: AgentkeepError | undefined;

  private constructor(
    parts: LevelParts,
    { id, startedAtMillis, found }: { id: string; startedAtMillis: number; found: Standing },
  ) {
    super();
    this.#parts = parts;
    this.#id = id;
    this.#startedAtMillis = startedAtMillis;
    this.#found = found;
    this.#seenMs = parts.clock.monotonic();
  }

  /**
   * Checks the level of a store before anything else is done with it, and announces this server.
   * @throws {AgentkeepError} `store_incompatible` for a level that this version doesn't support.
   */
  static async open(parts: LevelParts): Promise<LevelKeeper> {
    const { store, clock, entropy, levels } = parts;
    const startedAtMillis = clock.now();
    const found = await store.read((tx) => standing(tx, levels, startedAtMillis));
    const id = Buffer.from(entropy.bytes(ID_BYTES)).toString('hex');
    const keeper = new LevelKeeper(parts, { id, startedAtMillis, found });
    const { level, olderLeftAtMillis } = found;
    if (store.isShared || level !== levels.newest || olderLeftAtMillis !== null) {
      await keeper.#announce();
    }
    return keeper;
  }

  /** The level, as it was at the last sign of life. */
  get level(): number {
    return this.#found.level;
  }

  /** The level and the servers, as they were at the last sign of life. Reads nothing. */
  get report(): LevelReport {
    const { report } = this.#found;
    return this.#parts.store.isShared ? report : { ...report, servers: [shownServer(this.#own())] };
  }

  /** Whether the level was raised beyond what this version supports. */
  get isRefused(): boolean {
    return this.#refusal !== undefined;
  }

  /** Begins to give signs of life, and to raise the level when it is due. */
  begin(raising: RaiseParts): void {
    this.#raising = raising;
    const { store, levels } = this.#parts;
    if (store.isShared || this.level < levels.newest) this.repeat(SIGN_OF_LIFE_MS);
  }

  /**
   * Returns what a call waits for where this server hasn't given a sign of life for so long that
   * others may take it for gone, as after the machine slept; `undefined` if there is nothing.
   */
  renewal(): Promise<void> | undefined {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    const { store, clock } = this.#parts;
    if (!store.isShared || clock.monotonic() - this.#seenMs < SIGN_OF_LIFE_MAX_MS) return undefined;
    return this.sweep();
  }

  /** Raises the level to the newest of this version, unless a server doesn't support it. */
  async raise(): Promise<LevelRaise> {
    const { clock, levels } = this.#parts;
    const record = this.#raiseRecord();
    const raised = await this.#store.transact((tx): LevelRaise => {
      const found = requireLevel(tx, levels);
      const older = this.#others(tx, clock.now()).filter(({ newest }) => newest < levels.newest);
      const isRaised = found.level < levels.newest && older.length === 0;
      if (isRaised) change(tx, { found, next: newestOf(levels), record });
      return {
        level: isRaised ? levels.newest : found.level,
        is_raised: isRaised,
        unsupported_by: older.map(shownServer),
      };
    });
    await this.sweep();
    return raised;
  }

  /** Gives a sign of life, and raises the level if it is due. */
  protected override async sweepAll(): Promise<void> {
    const { clock, levels, isAutomatic } = this.#parts;
    const beganMs = clock.monotonic();
    const nowMs = clock.now();
    const record = this.#raiseRecord();
    try {
      this.#found = await this.#store.transact((tx) => {
        const found = requireLevel(tx, levels);
        this.#putOwn(tx, nowMs);
        if (found.level < levels.newest) {
          const servers = [levels, ...this.#others(tx, nowMs)];
          const version = CONTRACT_DOCUMENT_VERSION;
          const next = nextLevel(found, { servers, version, nowMs, isAutomatic });
          change(tx, { found, next, record });
        }
        return standing(tx, levels, nowMs);
      });
      this.#seenMs = beganMs;
    } catch (error) {
      if (error instanceof AgentkeepError && error.code === 'store_incompatible') {
        this.#refusal = error;
      }
      throw error;
    }
  }

  /** Tells the others that this server has left. */
  async close(): Promise<void> {
    const { store } = this.#parts;
    if (!store.isShared) return;
    // Others take it for gone after a while, so nothing depends on it.
    await store
      .transact((tx) => {
        tx.remove(servers.keyOf(INSTALLATION, this.#id));
      })
      .catch(() => undefined);
  }

  get #store(): Pick<Transactions, 'transact'> {
    return this.#raising?.store ?? this.#parts.store;
  }

  /** Returns what records a raise, if there can be one. */
  #raiseRecord(): ((tx: WriteTx) => void) | undefined {
    return this.level < this.#parts.levels.newest ? this.#raising?.raiseRecord() : undefined;
  }

  /** Announces this server, which may be an older one that has come back. */
  async #announce(): Promise<void> {
    const { store, levels } = this.#parts;
    const nowMs = this.#startedAtMillis;
    this.#found = await store.transact((tx) => {
      const found = requireLevel(tx, levels);
      const isNew = isEmpty(tx);
      if (store.isShared) removeGone(tx, nowMs);
      this.#putOwn(tx, nowMs);
      const all = [levels, ...this.#others(tx, nowMs)];
      const situation = { servers: all, version: CONTRACT_DOCUMENT_VERSION, nowMs };
      const next = isNew
        ? newestOf(levels)
        : nextLevel(found, { ...situation, isAutomatic: false });
      change(tx, { found, next });
      return standing(tx, levels, nowMs);
    });
  }

  #others(tx: ReadTx, nowMs: number): ServerState[] {
    return this.#parts.store.isShared ? aliveServers(tx, nowMs, this.#id) : [];
  }

  #putOwn(tx: WriteTx, nowMs: number): void {
    if (this.#parts.store.isShared) servers.put(tx, this.#own(nowMs), INSTALLATION, this.#id);
  }

  #own(seenAtMillis = this.#parts.clock.now()): ServerState {
    const { oldest, newest } = this.#parts.levels;
    const version = CONTRACT_DOCUMENT_VERSION;
    return { version, oldest, newest, startedAtMillis: this.#startedAtMillis, seenAtMillis };
  }
}

/** The level of a store, with its report. */
interface Standing extends StoredLevel {
  readonly report: LevelReport;
}

function standing(tx: ReadTx, levels: Levels, nowMs: number): Standing {
  return { ...requireLevel(tx, levels), report: levelReport(tx, levels, nowMs) };
}

function newestOf({ newest }: Levels): StoredLevel {
  return { level: newest, version: CONTRACT_DOCUMENT_VERSION, olderLeftAtMillis: null };
}

interface LevelChange {
  readonly found: StoredLevel;
  readonly next: StoredLevel;
  readonly record?: ((tx: WriteTx) => void) | undefined;
}

function change(tx: WriteTx, { found, next, record }: LevelChange): void {
  const isRaised = next.level !== found.level;
  if (!isRaised && next.olderLeftAtMillis === found.olderLeftAtMillis) return;
  putLevel(tx, next);
  if (isRaised) record?.(tx);
}
