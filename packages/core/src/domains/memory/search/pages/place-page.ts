/** A page that counts the matches before one record, to say at which place it comes. */
import type { Step } from '../examination/scope-stream.js';
import { comesBefore, type Rank } from '../matching/search-order.js';
import type { OpenPage } from './search-page.js';

/** Counts until its bound of entries. */
export class PlacePage implements OpenPage {
  readonly #rank: Rank;
  readonly #isBackward: boolean;
  #before = 0;
  entriesLeft: number;

  /** Takes the rank of the record: its key, or 0 in an order of ids. */
  constructor(rank: Rank, isBackward: boolean, entries: number) {
    this.#rank = rank;
    this.#isBackward = isBackward;
    this.entriesLeft = entries;
  }

  /** The place of the record, from 1, if all entries were examined. */
  get place(): number {
    return this.#before + 1;
  }

  /** Counts the next step. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined && this.#isBefore(id, found.key)) this.#before += 1;
    this.entriesLeft -= entries;
    return this.entriesLeft === 0;
  }

  #isBefore(id: string, key: number | undefined): boolean {
    return key !== undefined && comesBefore({ key, id }, this.#rank, this.#isBackward);
  }
}
