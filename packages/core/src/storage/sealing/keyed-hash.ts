/** A keyed hash of two texts, in one native call. */
import { sha256 } from '../../contract/digest.js';

const LENGTH_BYTES = 4;

/**
 * Returns the SHA-256 of a secret of 32 bytes, both lengths and both texts. The lengths come first,
 * so no input is the beginning of another one, and the hash can't be continued.
 */
export function keyedHash(secret: Uint8Array, first: Uint8Array, second: Uint8Array): Uint8Array {
  const start = secret.length + 2 * LENGTH_BYTES;
  const input = Buffer.allocUnsafe(start + first.length + second.length);
  input.set(secret);
  input.writeUInt32LE(first.length, secret.length);
  input.writeUInt32LE(second.length, secret.length + LENGTH_BYTES);
  input.set(first, start);
  input.set(second, start + first.length);
  return sha256(input);
}
