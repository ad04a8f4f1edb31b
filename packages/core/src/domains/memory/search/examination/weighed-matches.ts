/** Matches of one scope with what they are weighed by, in little memory. */
import type { TalliedEntry } from '../../../../kernel/ports/memory-scan.js';
import { uuidAt } from '../../../../storage/store/key.js';
import type { TermWeights, WeighedMatch } from '../matching/best-words.js';
import type { Tally } from './tallied-matches.js';

const ID_BYTES = 16;
const ROOM = 64;

/** Matches in the order in which they were added. */
export class WeighedMatches implements Tally {
  /** Index of the scope. */
  readonly scope: number;
  readonly #terms: number;
  readonly #keep: (matches: WeighedMatches) => void;
  #ids = Buffer.alloc(ID_BYTES * ROOM);
  #times: Uint8Array;
  #revisions = new Float64Array(ROOM);
  #textBytes = new Float64Array(ROOM);
  #eventMillis = new Float64Array(ROOM);
  #length = 0;

  /** Begins without matches of a scope, by its index, for a number of terms. */
  constructor(scope: number, terms: number, keep: (matches: WeighedMatches) => void) {
    this.scope = scope;
    this.#terms = terms;
    this.#keep = keep;
    this.#times = new Uint8Array(terms * ROOM);
  }

  /** Number of matches. */
  get length(): number {
    return this.#length;
  }

  /** Adds a match. What it is given is copied. */
  add(bytes: Uint8Array, idAt: number, { revision, weighed }: TalliedEntry): void {
    if (this.#length === this.#revisions.length) this.#grow();
    const at = this.#length;
    const start = ID_BYTES * at;
    for (let byte = 0; byte < ID_BYTES; byte += 1)
      this.#ids[start + byte] = bytes[idAt + byte] ?? 0;
    if (weighed !== undefined) this.#times.set(weighed.times, this.#terms * at);
    this.#revisions[at] = revision;
    this.#textBytes[at] = weighed?.textBytes ?? 0;
    this.#eventMillis[at] = weighed?.eventMillis ?? 0;
    this.#length += 1;
  }

  /** Gives them to the page. */
  keep(): void {
    this.#keep(this);
  }

  /** Returns a match. Its times are on loan. */
  at(index: number): WeighedMatch {
    return {
      id: uuidAt(this.#ids, ID_BYTES * index),
      scope: this.scope,
      revision: this.#revisions[index] ?? 0,
      times: this.#times.subarray(this.#terms * index, this.#terms * (index + 1)),
      textBytes: this.#textBytes[index] ?? 0,
      eventMillis: this.#eventMillis[index] ?? 0,
    };
  }

  /** Returns what the words of a match count. */
  weightAt(index: number, weights: TermWeights): number {
    return weights.of(this.#times, this.#terms * index, this.#textBytes[index] ?? 0);
  }

  /** Adds each match from an index on to the numbers of matches that have a term. */
  countInto(records: number[], from: number): void {
    const terms = this.#terms;
    for (let place = terms * from; place < terms * this.#length; place += 1) {
      const at = place % terms;
      if (this.#times[place] !== 0) records[at] = (records[at] ?? 0) + 1;
    }
  }

  #grow(): void {
    const room = 2 * this.#revisions.length;
    this.#ids = Buffer.concat([this.#ids, Buffer.alloc(this.#ids.length)]);
    const times = new Uint8Array(this.#terms * room);
    times.set(this.#times);
    this.#times = times;
    this.#revisions = grown(this.#revisions);
    this.#textBytes = grown(this.#textBytes);
    this.#eventMillis = grown(this.#eventMillis);
  }
}

function grown(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
