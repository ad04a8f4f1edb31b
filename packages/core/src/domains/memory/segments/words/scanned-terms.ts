/** The terms that a scan looks for, and those that entries of a segment have. */
import type { WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import { textsIn } from '../../record/search-entry.js';
import { type Columns, type EntryRange, startAt } from '../columns/columns.js';
import { hashOf, type WordHash } from './word-hash.js';
import type { WordIndex } from './word-index.js';

/** Terms made ready for indexes. It holds the terms of the entries that were looked at last. */
export class ScannedTerms {
  readonly wanted: WantedTerms;
  readonly #hashes: readonly { readonly hash: WordHash; readonly bit: number }[];
  #bits = new Uint32Array(0);
  /** How often each entry has each term, one entry after the other; empty unless it is asked. */
  #times = new Uint8Array(0);
  readonly #isWeighed: boolean;

  constructor(wanted: WantedTerms, isWeighed = false) {
    this.wanted = wanted;
    this.#isWeighed = isWeighed;
    this.#hashes = wanted.words.map(({ word, bit }) => ({ hash: hashOf(word), bit }));
  }

  /** Makes room for the entries of a segment. None of them has a term yet. */
  begin(entries: number): void {
    if (this.#bits.length < entries) this.#bits = new Uint32Array(entries);
    else this.#bits.fill(0);
    const times = this.#isWeighed ? entries * this.wanted.count : 0;
    if (this.#times.length < times) this.#times = new Uint8Array(times);
    else this.#times.fill(0);
  }

  /** Returns the bits of the terms that an entry has, once they were looked for. */
  of(entry: number): number {
    return this.#bits[entry] ?? 0;
  }

  /** Returns how often an entry has each term, in memory that is on loan. */
  timesOf(entry: number): Uint8Array {
    const { count } = this.wanted;
    return this.#times.subarray(count * entry, count * (entry + 1));
  }

  /** Returns whether an entry has terms that match. */
  isMatch(entry: number): boolean {
    return this.wanted.isMatch(this.of(entry));
  }

  /** Looks for the terms of the entries of a range in an index. */
  findIn(index: WordIndex, columns: Columns, { start, end }: EntryRange): void {
    for (const { hash, bit } of this.#hashes) {
      const { entries, times } = index.entriesWith(hash);
      for (let at = 0; at < entries.length; at += 1) {
        const entry = entries[at] ?? 0;
        this.#bits[entry] = (this.#bits[entry] ?? 0) | bit;
        if (this.#isWeighed) this.#setTimes(entry, bit, times[at] ?? 0);
      }
    }
    const { otherBits } = this.wanted;
    if (otherBits === 0) return;
    for (let entry = start; entry < end; entry += 1) {
      const found = this.of(entry);
      if (!this.wanted.isMatch((found | otherBits) >>> 0)) continue;
      this.#look(columns, entry, otherBits);
    }
  }

  /** Looks for the terms in the texts of an entry. */
  findAt(columns: Columns, entry: number): void {
    this.#look(columns, entry);
  }

  /** Looks for terms in the texts of an entry. */
  #look(columns: Columns, entry: number, among?: number): void {
    const texts = textsOf(columns, entry);
    this.#bits[entry] = this.of(entry) | this.wanted.bitsIn(texts, among);
    if (!this.#isWeighed) return;
    const times = this.timesOf(entry);
    for (const [at, each] of this.wanted.timesIn(texts, among).entries()) {
      if (each > 0) times[at] = each;
    }
  }

  #setTimes(entry: number, bit: number, times: number): void {
    this.#times[this.wanted.count * entry + 31 - Math.clz32(bit)] = times;
  }
}

function textsOf({ texts, textEnds }: Columns, entry: number): string[] {
  return textsIn(texts, startAt(textEnds, entry), textEnds[entry] ?? 0);
}
