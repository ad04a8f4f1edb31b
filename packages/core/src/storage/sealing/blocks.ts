/** Blocks of AES, of 16 bytes, and memory in which texts of whole blocks are worked on. */

/** Bytes of a block. */
export const BLOCK_BYTES = 16;

/** Words of a block. */
export const BLOCK_WORDS = 4;

/** What doubling adds when the first bit is carried out (RFC 7253, section 2). */
const CARRY = 0x87;

/** Longer texts get memory of their own. */
const KEPT_BYTES = 65_536;

/** The same memory as bytes and as words, which are added four bytes at a time. */
export class Blocks {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;

  constructor(count: number) {
    const buffer = new ArrayBuffer(count * BLOCK_BYTES);
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  /** Sets a block to twice another one. */
  double(from: number, to: number): void {
    const { bytes } = this;
    const at = from * BLOCK_BYTES;
    const into = to * BLOCK_BYTES;
    const carry = ((bytes[at] ?? 0) & 0x80) === 0 ? 0 : CARRY;
    for (let index = 0; index < BLOCK_BYTES - 1; index += 1) {
      bytes[into + index] = ((bytes[at + index] ?? 0) << 1) | ((bytes[at + index + 1] ?? 0) >>> 7);
    }
    bytes[into + 15] = ((bytes[at + 15] ?? 0) << 1) ^ carry;
  }

  /** Adds a block to another one (exclusive or). */
  add(from: number, { words: other }: Blocks, to: number): void {
    const { words } = this;
    for (let index = 0; index < BLOCK_WORDS; index += 1) {
      const at = to * BLOCK_WORDS + index;
      words[at] = (words[at] ?? 0) ^ (other[from * BLOCK_WORDS + index] ?? 0);
    }
  }
}

/** Memory that is used again for each text. What it holds is on loan until the next text. */
export class WorkingBlocks {
  readonly #kept = new Blocks(KEPT_BYTES / BLOCK_BYTES);

  /** Returns at least this many blocks, of any content. */
  ofAtLeast(count: number): Blocks {
    return count * BLOCK_BYTES <= KEPT_BYTES ? this.#kept : new Blocks(count);
  }
}
