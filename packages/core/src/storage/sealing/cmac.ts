/** CMAC with AES (NIST SP 800-38B), over a cipher that is made once for a key. */
import { createCipheriv, type Cipher } from 'node:crypto';
import {
  addBlock,
  addWords,
  BLOCK_BYTES,
  BLOCK_WORDS,
  Blocks,
  doubled,
  wholeBlocks,
  WorkingBlocks,
} from './blocks.js';

const working = new WorkingBlocks();

/** One key, prepared for many texts. */
export class Cmac {
  readonly #chain: Cipher;
  /** For texts that end with a whole block, and for those that are padded. */
  readonly #whole: Blocks;
  readonly #padded: Blocks;
  /** The last block that the chain gave. The next text begins by taking it back. */
  readonly #last = new Blocks(BLOCK_BYTES);

  constructor(key: Uint8Array) {
    this.#chain = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK_BYTES));
    this.#chain.setAutoPadding(false);
    this.#last.bytes.set(this.#chain.update(Buffer.alloc(BLOCK_BYTES)));
    this.#whole = doubled(this.#last);
    this.#padded = doubled(this.#whole);
  }

  /**
   * Returns the code of a text: a block, on loan until the next call. A block may be added to its
   * last 16 bytes first, if it has as many.
   */
  code(text: Uint8Array, added?: Blocks): Blocks {
    const { length } = text;
    const size = Math.max(BLOCK_BYTES, wholeBlocks(length));
    const input = working.ofAtLeast(size);
    input.bytes.set(text);
    for (let at = length; at < size; at += 1) input.bytes[at] = at === length ? 0x80 : 0;
    if (added !== undefined) addBlock(input, length - BLOCK_BYTES, added);
    const ending = size > length ? this.#padded : this.#whole;
    addWords(input, size / 4 - BLOCK_WORDS, ending, BLOCK_WORDS);
    addWords(input, 0, this.#last, BLOCK_WORDS);
    const chained = this.#chain.update(input.bytes.subarray(0, size));
    this.#last.bytes.set(chained.subarray(size - BLOCK_BYTES));
    return this.#last;
  }
}
