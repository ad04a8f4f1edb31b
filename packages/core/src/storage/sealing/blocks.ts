/** Blocks of AES, of 16 bytes. */

/** Bytes of a block. */
export const BLOCK_BYTES = 16;

/** What doubling adds when the first bit is carried out (NIST SP 800-38B, section 5.3). */
const CARRY = 0x87;

/** Doubles a block in the field of CMAC. */
export function doubled(block: Uint8Array): Buffer {
  const result = Buffer.alloc(BLOCK_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    result[at] = (((block[at] ?? 0) << 1) | ((block[at + 1] ?? 0) >>> 7)) & 0xff;
  }
  if (((block[0] ?? 0) & 0x80) !== 0) result[15] = (result[15] ?? 0) ^ CARRY;
  return result;
}

/** Adds a block to the bytes of a text from a position on (exclusive or). */
export function addBlock(text: Uint8Array, from: number, block: Uint8Array): void {
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    text[from + at] = (text[from + at] ?? 0) ^ (block[at] ?? 0);
  }
}
