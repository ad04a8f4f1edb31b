/** All changed records of a view in the order of their ids, with their texts side by side. */
import type { WantedBytes } from '../../../kernel/ports/memory-scan.js';
import type { Standing } from './standing-record.js';

/** The changed records of a view, once all is known of them. It is made again after a change. */
export class OrderedStandings {
  readonly all: readonly Standing[];
  /** The folded texts of one record after those of another one. */
  readonly #texts: Buffer;
  /** Where the texts of each record end. */
  readonly #ends: Uint32Array;

  constructor(all: readonly Standing[]) {
    this.all = all;
    this.#ends = new Uint32Array(all.length);
    const texts = all.map(({ entry }, index) => {
      const { bytes, textsAt, end } = entry?.spans() ?? { bytes: NONE, textsAt: 0, end: 0 };
      this.#ends[index] = (this.#ends[index - 1] ?? 0) + end - textsAt;
      return bytes.subarray(textsAt, end);
    });
    this.#texts = Buffer.concat(texts);
  }

  /** Memory of the texts. */
  get bytes(): number {
    return this.#texts.length + this.#ends.byteLength;
  }

  /** Returns the records with a text in their texts, among those from one index to another. */
  having(text: WantedBytes, start: number, end: number): Set<Standing> {
    const found = new Set<Standing>();
    const to = this.#ends[end - 1] ?? 0;
    for (let [index, from] = [start, this.#ends[start - 1] ?? 0]; index < end;) {
      const at = text.indexIn(this.#texts, from, to);
      if (at === -1) break;
      while ((this.#ends[index] ?? to) <= at) index += 1;
      const standing = this.all[index];
      if (standing !== undefined) found.add(standing);
      from = this.#ends[index] ?? to;
      index += 1;
    }
    return found;
  }
}

const NONE = Buffer.alloc(0);
