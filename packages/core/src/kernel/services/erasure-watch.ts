/**
 * Makes a call that reads in several transactions begin again once an erasure has begun or ended
 * between them: on a store that several servers share, nothing waits for the calls of the others.
 */
import type { ReadTx, Transactions } from '../../storage/store/store.js';

/** Returns a number that differs once an erasure in an authority has begun or ended. */
export type ErasureTurn = (tx: ReadTx, authority: string) => number;

/** Compares the reads of one call. */
export class ErasureWatch {
  readonly #turnOf: ErasureTurn;
  readonly #authority: string;
  #first: number | undefined;
  #hasWaited = false;

  constructor(turnOf: ErasureTurn, authority: string) {
    this.#turnOf = turnOf;
    this.#authority = authority;
  }

  /** Returns what a read has to note once it is over. */
  turnIn(tx: ReadTx): number {
    return this.#turnOf(tx, this.#authority);
  }

  /**
   * Notes a read that is over.
   *
   * @throws {OutdatedCallError} if an earlier one saw a state from before an erasure.
   */
  note(turn: number): void {
    this.#hasWaited = false;
    this.#first ??= turn;
    if (turn !== this.#first) throw new OutdatedCallError();
  }

  /** Notes that time has passed since the last read. */
  waited(): void {
    this.#hasWaited = true;
  }

  /** Forgets the reads so far: the answer will have nothing of them. */
  forget(): void {
    this.#first = undefined;
  }

  /**
   * Looks once more if time has passed since the last read.
   *
   * @throws {OutdatedCallError}
   */
  async settle(store: Pick<Transactions, 'read'>): Promise<void> {
    if (this.#first === undefined || !this.#hasWaited) return;
    this.note(await store.read((tx) => this.turnIn(tx)));
  }
}

/** Thrown inside of a call whose answer would rest on what is not so any more. */
export class OutdatedCallError extends Error {
  override readonly name = 'OutdatedCallError';

  constructor() {
    super('The call must begin again.');
  }
}
