/** Matches of one scope with their terms, in little memory. */
import type { MatchTally } from '../../../runtime/ports/memory-scan.js';
import { uuidAt } from '../../../storage/store/key.js';

const ID_BYTES = 16;
const ROOM = 256;

/** Matches in the order in which they were added. */
export class TalliedMatches implements MatchTally {
  /** Index of the scope. */
  readonly scope: number;
  #ids = Buffer.alloc(ID_BYTES * ROOM);
  #terms = new Uint32Array(ROOM);
  #length = 0;

  /** Begins without matches of a scope, by its index. */
  constructor(scope: number) {
    this.scope = scope;
  }

  /** Number of matches. */
  get length(): number {
    return this.#length;
  }

  /** Adds a match. The bytes of its id are copied. */
  add(bytes: Uint8Array, idAt: number, terms: number): void {
    if (this.#length === this.#terms.length) this.#grow();
    const start = ID_BYTES * this.#length;
    for (let at = 0; at < ID_BYTES; at += 1) this.#ids[start + at] = bytes[idAt + at] ?? 0;
    this.#terms[this.#length] = terms;
    this.#length += 1;
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
