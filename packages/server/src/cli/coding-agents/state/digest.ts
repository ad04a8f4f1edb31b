/** Digests of texts. Core's would load core, and a person waits for hooks. */
import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text, as 64 hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
