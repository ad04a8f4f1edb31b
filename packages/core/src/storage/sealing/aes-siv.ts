/**
 * AES in the mode SIV (RFC 5297): encryption without a nonce. The same text and associated data
 * give the same bytes, which shows that they are the same and nothing else.
 *
 * Node.js has no such mode. Both halves are modes that it has, over ciphers that are made once for
 * a key, because making one takes longer than sealing a value.
 */
import { createCipheriv, hkdfSync, timingSafeEqual, type Cipher } from 'node:crypto';
import {
  addWords,
  BLOCK_BYTES,
  BLOCK_WORDS,
  Blocks,
  doubled,
  wholeBlocks,
  WorkingBlocks,
} from './blocks.js';
import { Cmac } from './cmac.js';

/** Bytes of a key for AES-256: one half for the code, the other one for the cipher. */
const KEY_BYTES = 64;

/** Bytes that sealing adds: the code in front of the ciphertext. */
export const CODE_BYTES = BLOCK_BYTES;

const counters = new WorkingBlocks();
const crypted = new WorkingBlocks();

/** One key, prepared for many values. */
export class SivKey {
  readonly #mac: Cmac;
  readonly #blocks: Cipher;
  /** What S2V begins with, doubled for the first string. */
  readonly #start: Blocks;
  /** What S2V comes to before the last string. */
  readonly #chained = new Blocks(BLOCK_BYTES);
  /** The code of what is opened. */
  readonly #given = new Blocks(BLOCK_BYTES);

  /** A key of 64 bytes is one for AES-256, and those of 48 and 32 are for AES-192 and AES-128. */
  constructor(key: Uint8Array) {
    const half = key.length / 2;
    this.#mac = new Cmac(key.subarray(0, half));
    this.#blocks = createCipheriv(`aes-${half * 8}-ecb`, key.subarray(half), null);
    this.#blocks.setAutoPadding(false);
    this.#start = doubled(this.#mac.code(Buffer.alloc(BLOCK_BYTES)));
  }

  /** Returns the key for one use of a secret, by HKDF. */
  static derived(secret: Uint8Array, use: string): SivKey {
    return new SivKey(Buffer.from(hkdfSync('sha256', secret, '', `agentkeep ${use}`, KEY_BYTES)));
  }

  /** Returns the code and the ciphertext. */
  seal(content: Uint8Array, associated: Uint8Array): Buffer {
    const sealed = Buffer.allocUnsafe(CODE_BYTES + content.length);
    this.sealInto(sealed, 0, content, associated);
    return sealed;
  }

  /** As {@link seal}, into bytes from a position on. */
  sealInto(into: Uint8Array, from: number, content: Uint8Array, associated: Uint8Array): void {
    const code = this.#codeOf(content, associated);
    into.set(code.bytes, from);
    this.#crypt(code, content, into, from + CODE_BYTES);
  }

  /** Returns the content, or `undefined` if it does not verify. */
  open(sealed: Uint8Array, associated: Uint8Array): Buffer | undefined {
    if (sealed.length < CODE_BYTES) return undefined;
    const code = this.#given;
    code.bytes.set(sealed.subarray(0, CODE_BYTES));
    const content = Buffer.allocUnsafe(sealed.length - CODE_BYTES);
    this.#crypt(code, sealed.subarray(CODE_BYTES), content, 0);
    const expected = this.#codeOf(content, associated);
    return timingSafeEqual(expected.bytes, code.bytes) ? content : undefined;
  }

  /** S2V of the associated data and the content (section 2.4). */
  #codeOf(content: Uint8Array, associated: Uint8Array): Blocks {
    const chained = this.#chained;
    chained.words.set(this.#mac.code(associated).words);
    addWords(chained, 0, this.#start, BLOCK_WORDS);
    if (content.length >= BLOCK_BYTES) return this.#mac.code(content, chained);
    const { bytes: padded } = doubled(chained);
    for (let at = 0; at < content.length; at += 1) {
      padded[at] = (padded[at] ?? 0) ^ (content[at] ?? 0);
    }
    padded[content.length] = (padded[content.length] ?? 0) ^ 0x80;
    return this.#mac.code(padded);
  }

  /** Encrypts or decrypts by counting up from a code (sections 2.5 and 2.6). */
  #crypt(code: Blocks, text: Uint8Array, into: Uint8Array, from: number): void {
    const size = wholeBlocks(text.length);
    const stream = counters.ofAtLeast(size);
    countUp(stream, code, size);
    stream.bytes.set(this.#blocks.update(stream.bytes.subarray(0, size)));
    const result = crypted.ofAtLeast(size);
    result.bytes.set(text);
    addWords(result, 0, stream, size / 4);
    into.set(result.bytes.subarray(0, text.length), from);
  }
}

/** Fills blocks that count up from a code without the bits that would carry far. */
function countUp(
  { words, view }: Blocks,
  { words: code, view: start }: Blocks,
  size: number,
): void {
  const first = code[0] ?? 0;
  const second = code[1] ?? 0;
  const third = start.getUint32(8) & 0x7fff_ffff;
  const last = start.getUint32(12) & 0x7fff_ffff;
  for (let at = 0; at < size; at += BLOCK_BYTES) {
    words[at / 4] = first;
    words[at / 4 + 1] = second;
    view.setUint32(at + 8, third);
    view.setUint32(at + 12, last + at / BLOCK_BYTES);
  }
}
