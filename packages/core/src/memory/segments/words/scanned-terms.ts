/** The terms that a scan looks for, and those that entries of a segment have. */
import type { WantedTerms } from '../../../runtime/ports/memory-scan.js';
import { textsIn } from '../../record/search-entry.js';
import { type Columns, type EntryRange, startAt } from '../columns/columns.js';
import { hashOf, type WordHash } from './word-hash.js';
import type { WordIndex } from './word-index.js';

/** Terms made ready for indexes. It holds the terms of the entries that were looked at last. */
export class ScannedTerms {
  readonly wanted: WantedTerms;
  readonly #hashes: readonly { readonly hash: WordHash; readonly bit: number }[];
  #bits = new Uint32Array(0);

  constructor(wanted: WantedTerms) {
    this.wanted = wanted;
    this.#hashes = wanted.words.map(({ word, bit }) => ({ hash: hashOf(word), bit }));
  }

  /** Makes room for the entries of a segment. None of them has a term yet. */
  begin(entries: number): void {
    if (this.#bits.length < entries) this.#bits = new Uint32Array(entries);
    else this.#bits.fill(0);
  }

  /** Returns the bits of the terms that an entry has, once they were looked for. */
  of(entry: number): number {
    return this.#bits[entry] ?? 0;
  }

  /** Returns whether an entry has terms that match. */
  isMatch(entry: number): boolean {
    return this.wanted.isMatch(this.of(entry));
  }

  /** Looks for the terms of the entries of a range in an index. */
  findIn(index: WordIndex, columns: Columns, { start, end }: EntryRange): void {
    for (const { hash, bit } of this.#hashes) {
      const entries = index.entriesWith(hash);
      for (let at = 0; at < entries.length; at += 1) {
        const entry = entries[at] ?? 0;
        this.#bits[entry] = (this.#bits[entry] ?? 0) | bit;
      }
    }
    const { otherBits } = this.wanted;
    if (otherBits === 0) return;
    for (let entry = start; entry < end; entry += 1) {
      const found = this.of(entry);
      if (!this.wanted.isMatch((found | otherBits) >>> 0)) continue;
      this.#bits[entry] = found | this.wanted.bitsIn(textsOf(columns, entry), otherBits);
    }
  }

  /** Looks for the terms in the texts of an entry. */
  findAt(columns: Columns, entry: number): void {
    this.#bits[entry] = this.wanted.bitsIn(textsOf(columns, entry));
  }
}

function textsOf({ texts, textEnds }: Columns, entry: number): string[] {
  return textsIn(texts, startAt(textEnds, entry), textEnds[entry] ?? 0);
}
