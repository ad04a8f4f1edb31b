/**
 * AES in the mode OCB (RFC 7253), for texts of whole blocks, codes of 16 bytes and nonces of 12.
 *
 * Node.js has the mode, but makes a cipher for each text, which takes longer than the text. This is
 * composed of ciphers that are made once for a key. One native call seals a text, and two open it.
 */
import { createCipheriv, createDecipheriv, type Cipher, type Decipher } from 'node:crypto';
import { BLOCK_BYTES, BLOCK_WORDS, Blocks, WorkingBlocks } from './blocks.js';
import { NonceOffsets } from './nonce-offsets.js';

/** Bytes of the code behind a ciphertext. */
export const CODE_BYTES = BLOCK_BYTES;

/** Where the multiples of a key are: `L_*`, `L_$`, then `L_0` and so on (section 4.1). */
const ENDING = 0;
const CODE = 1;
const FIRST = 2;
/** Enough for texts of 2^24 blocks. */
const MULTIPLES = FIRST + 24;

const working = new WorkingBlocks();
/** The offset of the last block of a walk. */
const offset = new Blocks(1);
/** The block that is encrypted to the code. */
const ending = new Blocks(1);
const NO_OFFSET = new Uint32Array(BLOCK_WORDS);

/** One key, prepared for many texts. */
export class OcbKey {
  readonly #encipher: Cipher;
  readonly #decipher: Decipher;
  readonly #multiples = new Blocks(MULTIPLES);
  readonly #nonces: NonceOffsets;

  /** A key of 16, 24 or 32 bytes. */
  constructor(key: Uint8Array) {
    const name = `aes-${key.length * 8}-ecb`;
    this.#encipher = createCipheriv(name, key, null);
    this.#decipher = createDecipheriv(name, key, null);
    for (const cipher of [this.#encipher, this.#decipher]) cipher.setAutoPadding(false);
    this.#multiples.bytes.set(this.#encipher.update(new Uint8Array(BLOCK_BYTES)));
    for (let at = CODE; at < MULTIPLES; at += 1) this.#multiples.double(at - 1, at);
    this.#nonces = new NonceOffsets(this.#encipher);
  }

  /**
   * Turns a text, with room for the code behind it, into the ciphertext and the code. Never seal
   * two texts with one nonce.
   */
  seal(bytes: Uint8Array, nonce: Uint8Array, associated: Uint8Array): void {
    const start = this.#nonces.of(nonce);
    const head = Math.ceil(associated.length / BLOCK_BYTES);
    const end = head + bytes.length / BLOCK_BYTES - 1;
    const blocks = working.ofAtLeast(end + 1);
    this.#writeAssociated(blocks, associated);
    blocks.bytes.set(bytes, head * BLOCK_BYTES);
    sumInto(ending, blocks, head, end);
    this.#endBehind(this.#addOffsets(blocks, start, head, end));
    blocks.words.set(ending.words, end * BLOCK_WORDS);
    const size = (end + 1) * BLOCK_BYTES;
    blocks.bytes.set(this.#encipher.update(blocks.bytes.subarray(0, size)));
    this.#addOffsets(blocks, start, head, end);
    addAll(blocks, head, end);
    bytes.set(blocks.bytes.subarray(head * BLOCK_BYTES, size));
  }

  /** Returns the text of a ciphertext and its code, or `undefined` if it does not verify. */
  open(nonce: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Buffer | undefined {
    const size = sealed.length - CODE_BYTES;
    if (size < 0 || size % BLOCK_BYTES !== 0) return undefined;
    const start = this.#nonces.of(nonce);
    const count = size / BLOCK_BYTES;
    const blocks = working.ofAtLeast(Math.max(count, associated.length / BLOCK_BYTES + 2));
    blocks.bytes.set(sealed.subarray(0, size));
    this.#addOffsets(blocks, start, 0, count);
    blocks.bytes.set(this.#decipher.update(blocks.bytes.subarray(0, size)));
    const last = this.#addOffsets(blocks, start, 0, count);
    sumInto(ending, blocks, 0, count);
    this.#endBehind(last);
    const text = Buffer.allocUnsafe(size);
    text.set(blocks.bytes.subarray(0, size));
    const code = this.#codeOf(blocks, associated);
    // Every byte is compared, so that the time tells nothing.
    let differences = 0;
    for (let at = 0; at < CODE_BYTES; at += 1) {
      differences |= (code[at] ?? 0) ^ (sealed[size + at] ?? 0);
    }
    return differences === 0 ? text : undefined;
  }

  /** Returns the code of the text whose {@link ending} was made. Overwrites the blocks. */
  #codeOf(blocks: Blocks, associated: Uint8Array): Uint8Array {
    const head = Math.ceil(associated.length / BLOCK_BYTES);
    this.#writeAssociated(blocks, associated);
    blocks.words.set(ending.words, head * BLOCK_WORDS);
    const size = (head + 1) * BLOCK_BYTES;
    blocks.bytes.set(this.#encipher.update(blocks.bytes.subarray(0, size)));
    addAll(blocks, head, head);
    return blocks.bytes.subarray(head * BLOCK_BYTES, size);
  }

  /** Turns the sum of a text into its {@link ending}, with the offset of its last block. */
  #endBehind(last: Blocks): void {
    ending.add(0, last, 0);
    ending.add(CODE, this.#multiples, 0);
  }

  /** Writes the first blocks: associated data, padded, with its offsets (section 4.1, HASH). */
  #writeAssociated(blocks: Blocks, associated: Uint8Array): void {
    const { length } = associated;
    const whole = Math.floor(length / BLOCK_BYTES);
    blocks.bytes.set(associated);
    const last = this.#addOffsets(blocks, NO_OFFSET, 0, whole);
    if (length === whole * BLOCK_BYTES) return;
    const end = (whole + 1) * BLOCK_BYTES;
    for (let at = length; at < end; at += 1) blocks.bytes[at] = at === length ? 0x80 : 0;
    blocks.add(0, last, whole);
    blocks.add(ENDING, this.#multiples, whole);
  }

  /** Adds its offset to each block, and returns the last one, on loan until the next call. */
  #addOffsets({ words }: Blocks, start: Uint32Array, from: number, to: number): Blocks {
    const multiples = this.#multiples.words;
    let first = start[0] ?? 0;
    let second = start[1] ?? 0;
    let third = start[2] ?? 0;
    let fourth = start[3] ?? 0;
    for (let number = 1, at = from * BLOCK_WORDS; number <= to - from; number += 1, at += 4) {
      // The zeros at the end of a number say by which multiple its offset differs from the last.
      const step = (FIRST + 31 - Math.clz32(number & -number)) * BLOCK_WORDS;
      first ^= multiples[step] ?? 0;
      second ^= multiples[step + 1] ?? 0;
      third ^= multiples[step + 2] ?? 0;
      fourth ^= multiples[step + 3] ?? 0;
      words[at] = (words[at] ?? 0) ^ first;
      words[at + 1] = (words[at + 1] ?? 0) ^ second;
      words[at + 2] = (words[at + 2] ?? 0) ^ third;
      words[at + 3] = (words[at + 3] ?? 0) ^ fourth;
    }
    offset.words[0] = first;
    offset.words[1] = second;
    offset.words[2] = third;
    offset.words[3] = fourth;
    return offset;
  }
}

/** Sets a block to the sum of others. */
function sumInto(sum: Blocks, { words }: Blocks, from: number, to: number): void {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = from * BLOCK_WORDS; at < to * BLOCK_WORDS; at += BLOCK_WORDS) {
    first ^= words[at] ?? 0;
    second ^= words[at + 1] ?? 0;
    third ^= words[at + 2] ?? 0;
    fourth ^= words[at + 3] ?? 0;
  }
  sum.words[0] = first;
  sum.words[1] = second;
  sum.words[2] = third;
  sum.words[3] = fourth;
}

/** Adds the first blocks to another one. */
function addAll(blocks: Blocks, count: number, to: number): void {
  for (let at = 0; at < count; at += 1) blocks.add(at, blocks, to);
}
