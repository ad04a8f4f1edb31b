/** Blocks of AES, of 16 bytes, and memory in which texts of whole blocks are worked on. */

/** Bytes of a block. */
export const BLOCK_BYTES = 16;

const WORD_BYTES = 4;

/** Words of a block. */
export const BLOCK_WORDS = BLOCK_BYTES / WORD_BYTES;

/** What doubling adds when the first bit is carried out (NIST SP 800-38B, section 5.3). */
const CARRY = 0x87;

/** Longer texts get memory of their own. */
const KEPT_BYTES = 65_536;

/** The same memory as bytes and as words, which are added four bytes at a time. */
export class Blocks {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly view: DataView;

  constructor(bytes: number) {
    const buffer = new ArrayBuffer(bytes);
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.view = new DataView(buffer);
  }
}

/** Memory that is used again for each text. What it holds is on loan until the next text. */
export class WorkingBlocks {
  readonly #kept = new Blocks(KEPT_BYTES);

  /** Returns memory of at least this many bytes, of any content. */
  ofAtLeast(bytes: number): Blocks {
    if (bytes <= KEPT_BYTES) return this.#kept;
    return new Blocks(wholeBlocks(bytes));
  }
}

/** Returns the bytes of the whole blocks that a text takes. */
export function wholeBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Returns twice a block, in the field of CMAC. */
export function doubled({ bytes: block }: Blocks): Blocks {
  const result = new Blocks(BLOCK_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    result.bytes[at] = ((block[at] ?? 0) << 1) | ((block[at + 1] ?? 0) >>> 7);
  }
  if (((block[0] ?? 0) & 0x80) !== 0) result.bytes[15] = (result.bytes[15] ?? 0) ^ CARRY;
  return result;
}

/** Adds as many words of one text to another one from a word on (exclusive or). */
export function addWords(to: Blocks, from: number, { words: added }: Blocks, count: number): void {
  const { words } = to;
  for (let at = 0; at < count; at += 1)
    words[from + at] = (words[from + at] ?? 0) ^ (added[at] ?? 0);
}

/** Adds a block to a text from any byte on (exclusive or). */
export function addBlock({ bytes: text }: Blocks, from: number, { bytes: block }: Blocks): void {
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    text[from + at] = (text[from + at] ?? 0) ^ (block[at] ?? 0);
  }
}
