/** CMAC with AES (NIST SP 800-38B), over a cipher that is made once for a key. */
import { createCipheriv, type Cipher } from 'node:crypto';
import { addBlock, BLOCK_BYTES, doubled } from './blocks.js';

/** One key, prepared for many texts. */
export class Cmac {
  readonly #chain: Cipher;
  /** For texts that end with a whole block, and for those that are padded. */
  readonly #whole: Buffer;
  readonly #padded: Buffer;
  /** The last block that the chain gave. The next text begins by taking it back. */
  readonly #last: Buffer;

  constructor(key: Uint8Array) {
    this.#chain = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK_BYTES));
    this.#chain.setAutoPadding(false);
    this.#last = this.#chain.update(Buffer.alloc(BLOCK_BYTES));
    this.#whole = doubled(this.#last);
    this.#padded = doubled(this.#whole);
  }

  /** Returns the code of a text: a block. */
  code(text: Uint8Array): Buffer {
    return this.codeWith(text, undefined);
  }

  /** Returns the code of a text of at least one block, with a block added to its last 16 bytes. */
  codeWith(text: Uint8Array, added: Uint8Array | undefined): Buffer {
    const length = text.length;
    const size = Math.max(BLOCK_BYTES, Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES);
    const input = Buffer.allocUnsafe(size);
    input.set(text);
    if (size > length) {
      input.fill(0, length);
      input[length] = 0x80;
    }
    if (added !== undefined) addBlock(input, length - BLOCK_BYTES, added);
    addBlock(input, size - BLOCK_BYTES, size > length ? this.#padded : this.#whole);
    addBlock(input, 0, this.#last);
    const code = this.#chain.update(input).subarray(size - BLOCK_BYTES);
    this.#last.set(code);
    return code;
  }
}
