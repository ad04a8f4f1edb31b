/** Finds the blocks that can hold the events of a search, newest first. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx } from '../../storage/store/store.js';
import {
  blockAt,
  blocksBefore,
  type IndexedMember,
  type NumberedBlock,
  postingsBefore,
} from './audit-store.js';

/** Postings that are read at once. */
const WINDOW = 64;

type Value = readonly [member: IndexedMember, value: string];

/** Blocks of one authority in which every value occurs, in one transaction. */
export class Candidates {
  readonly #tx: ReadTx;
  readonly #authority: string;
  readonly #lists: readonly PostingList[];
  #blocksRead = 0;

  constructor(tx: ReadTx, authority: string, values: readonly Value[]) {
    this.#tx = tx;
    this.#authority = authority;
    this.#lists = values.map((value) => new PostingList(tx, authority, value));
  }

  /** Reads of the store so far: the cost of the search. */
  get steps(): number {
    return this.#lists.reduce((sum, { reads }) => sum + reads, this.#blocksRead);
  }

  /**
   * Returns the greatest number below a bound at which a candidate can begin, or `undefined` when
   * there is none. When `steps` reaches its limit, returns the number to continue from.
   */
  next(
    below: number,
    stepsMax: number,
  ): { readonly at: number; readonly isFound: boolean } | undefined {
    let at = below - 1;
    let agreed = 0;
    if (this.#lists.length === 0 && this.steps >= stepsMax) return { at, isFound: false };
    for (let turn = 0; agreed < this.#lists.length; turn += 1) {
      if (this.steps >= stepsMax) return { at, isFound: false };
      const found = this.#lists[turn % this.#lists.length]?.atOrBelow(at);
      if (found === undefined) return undefined;
      agreed = found === at ? agreed + 1 : 1;
      at = found;
    }
    return { at, isFound: true };
  }

  /**
   * Returns the block that begins at a number. Without values to look for, returns the newest block
   * that begins there or below.
   * @throws {AgentkeepError} `storage_inconsistency` A posting names a missing block.
   */
  read(at: number): NumberedBlock | undefined {
    this.#blocksRead += 1;
    if (this.#lists.length === 0) return blocksBefore(this.#tx, this.#authority, at + 1, 1)[0];
    const placed = blockAt(this.#tx, this.#authority, at);
    if (placed === undefined) throw new AgentkeepError('storage_inconsistency');
    return placed;
  }
}

/** The blocks with one value, read in windows from the newest down. */
class PostingList {
  readonly #tx: ReadTx;
  readonly #authority: string;
  readonly #value: Value;
  #window: readonly number[] = [];
  #index = 0;
  reads = 0;

  constructor(tx: ReadTx, authority: string, value: Value) {
    this.#tx = tx;
    this.#authority = authority;
    this.#value = value;
  }

  /** Returns the greatest number up to a bound. The bounds of later calls must not grow. */
  atOrBelow(bound: number): number | undefined {
    for (; this.#index < this.#window.length; this.#index += 1) {
      const number = this.#window[this.#index];
      if (number !== undefined && number <= bound) return number;
    }
    this.reads += 1;
    this.#window = postingsBefore(this.#tx, this.#authority, this.#value, bound + 1, WINDOW);
    this.#index = 0;
    return this.#window[0];
  }
}
