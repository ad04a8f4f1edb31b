/** A keyed hash of a text, in one native call. */
import { sha256 } from '../../contract/digest.js';

const LENGTH_BYTES = 4;

/**
 * Returns the SHA-256 of a secret of 32 bytes, the length of a text and the text. The length comes
 * first, so no input is the beginning of another one, and the hash can't be continued.
 */
export function keyedHash(secret: Uint8Array, text: Uint8Array): Uint8Array {
  const start = secret.length + LENGTH_BYTES;
  const input = Buffer.allocUnsafe(start + text.length);
  input.set(secret);
  input.writeUInt32LE(text.length, secret.length);
  input.set(text, start);
  return sha256(input);
}
