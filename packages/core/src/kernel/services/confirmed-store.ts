/**
 * The store as handlers get it. Each read of an authenticated call authenticates the caller again
 * first, and writes keep within storage quotas if the operation says so.
 */
import type { Clock } from '../ports/clock.js';
import type { ErasureWatch } from './erasure-watch.js';
import { keepWithinQuota } from '../counts/counts.js';
import { noteGrowth } from '../../storage/store/participant.js';
import type { Runtime } from './runtime.js';
import type { ReadTx, SnapshotTx, Transactions, WriteTx } from '../../storage/store/store.js';

/** Proves a caller again inside a transaction; throws if its rights have ended. */
export type ConfirmRead = (tx: ReadTx, nowMs: number) => void;

/** Checks in a transaction what was supposed about a caller that was not proved. */
export interface Supposing {
  /** Throws if it is not so. */
  check(tx: ReadTx): void;
  /** Called when a transaction that checked has succeeded. */
  confirmed(): void;
}

/** How calls of a caller use the store. */
export interface ConfirmedCaller {
  readonly confirm: ConfirmRead;
  /** Whether no transaction may take a tenant over its storage quota. */
  readonly isWithinQuota: boolean;
  /** Whether transactions add data, which a disk that is nearly full refuses. */
  readonly addsData: boolean;
  /** Absent if the caller was proved when the call began. */
  readonly supposed?: Supposing | undefined;
  /** Compares the reads; absent if the call changes something, or no other server does. */
  readonly watch?: ErasureWatch | undefined;
}

/**
 * A store whose reads answer a caller only while its proof is valid, in the same consistent state
 * that they read. So no handler can answer with an authority that ended while the body of the
 * request arrived, or between two slices.
 */
export class ConfirmedStore implements Transactions {
  readonly #store: Transactions;
  readonly #clock: Clock;
  readonly #confirm: ConfirmRead;
  readonly #isWithinQuota: boolean;
  readonly #addsData: boolean;
  readonly #supposed: Supposing | undefined;
  readonly #watch: ErasureWatch | undefined;

  constructor(
    { store, clock }: Pick<Runtime, 'store' | 'clock'>,
    { confirm, isWithinQuota, addsData, supposed, watch }: ConfirmedCaller,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#confirm = confirm;
    this.#isWithinQuota = isWithinQuota;
    this.#addsData = addsData;
    this.#supposed = supposed;
    this.#watch = watch;
  }

  /** Whether other processes may change the data. */
  get isShared(): boolean {
    return this.#store.isShared;
  }

  /**
   * Runs a body in the read that proves the caller.
   *
   * @throws {AgentkeepError} what the confirmation throws, without running the body.
   */
  read<T>(body: (tx: SnapshotTx) => T): Promise<T> {
    const watch = this.#watch;
    const running =
      watch === undefined ? this.#store.read(this.#confirmed(body)) : this.#watched(body, watch);
    return this.#supposed === undefined ? running : this.#settled(running);
  }

  /** Runs a body, and compares what it saw of erasures with the reads before. */
  async #watched<T>(body: (tx: SnapshotTx) => T, watch: ErasureWatch): Promise<T> {
    const watched = (tx: SnapshotTx) => ({ turn: watch.turnIn(tx), result: body(tx) });
    const { turn, result } = await this.#store.read(this.#confirmed(watched));
    watch.note(turn);
    return result;
  }

  #confirmed<T>(body: (tx: SnapshotTx) => T): (tx: SnapshotTx) => T {
    const nowMs = this.#clock.now();
    return (tx) => {
      this.#supposed?.check(tx);
      this.#confirm(tx, nowMs);
      return body(tx);
    };
  }

  /** Confirms the caller as soon as a transaction that checked it has succeeded. */
  async #settled<T>(running: Promise<T>): Promise<T> {
    const result = await running;
    this.#supposed?.confirmed();
    return result;
  }

  /**
   * Runs a body as the store does. A handler that writes confirms its caller in it.
   *
   * @throws {AgentkeepError} `quota_exceeded` where the operation keeps within quotas.
   */
  transact<T>(body: (tx: WriteTx) => T): Promise<T> {
    if (!this.#addsData && this.#supposed === undefined) return this.#store.transact(body);
    const running = this.#store.transact((tx) => {
      this.#supposed?.check(tx);
      if (this.#isWithinQuota) keepWithinQuota(tx);
      if (this.#addsData) noteGrowth(tx);
      return body(tx);
    });
    return this.#supposed === undefined ? running : this.#settled(running);
  }
}

/**
 * Returns a runtime with another store. The other services are found through the prototype, so none
 * is copied.
 */
export function withStore(runtime: Runtime, store: Transactions): Runtime {
  const made = Object.create(runtime) as { -readonly [P in keyof Runtime]: Runtime[P] };
  made.store = store;
  return made;
}
