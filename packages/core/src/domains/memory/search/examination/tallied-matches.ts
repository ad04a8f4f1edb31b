/** Matches of one scope with their terms, in little memory. */
import type { MatchTally, TalliedEntry } from '../../../../kernel/ports/memory-scan.js';
import { uuidAt } from '../../../../storage/store/key.js';

const ID_BYTES = 16;
const ROOM = 256;

/** Matches of one read, which a page takes together once the read is over. */
export interface Tally extends MatchTally {
  /** Number of matches. */
  readonly length: number;
  /** Gives them to the page. */
  keep(): void;
}

/** Matches in the order in which they were added. */
export class TalliedMatches implements Tally {
  /** Index of the scope. */
  readonly scope: number;
  readonly #keep: (matches: TalliedMatches) => void;
  #ids = Buffer.alloc(ID_BYTES * ROOM);
  #terms = new Uint32Array(ROOM);
  #length = 0;

  /** Begins without matches of a scope, by its index. */
  constructor(scope: number, keep: (matches: TalliedMatches) => void) {
    this.scope = scope;
    this.#keep = keep;
  }

  /** Number of matches. */
  get length(): number {
    return this.#length;
  }

  /** Adds a match. The bytes of its id are copied. */
  add(bytes: Uint8Array, idAt: number, { terms }: TalliedEntry): void {
    if (this.#length === this.#terms.length) this.#grow();
    const start = ID_BYTES * this.#length;
    for (let at = 0; at < ID_BYTES; at += 1) this.#ids[start + at] = bytes[idAt + at] ?? 0;
    this.#terms[this.#length] = terms;
    this.#length += 1;
  }

  /** Gives them to the page. */
  keep(): void {
    this.#keep(this);
  }

  /** Returns the id of the record of a match. */
  idAt(index: number): string {
    return uuidAt(this.#ids, ID_BYTES * index);
  }

  /** Returns the bits of the terms of a match. */
  termsAt(index: number): number {
    return this.#terms[index] ?? 0;
  }

  #grow(): void {
    this.#ids = Buffer.concat([this.#ids, Buffer.alloc(this.#ids.length)]);
    const terms = new Uint32Array(2 * this.#terms.length);
    terms.set(this.#terms);
    this.#terms = terms;
  }
}
