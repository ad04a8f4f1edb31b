/**
 * Randomness as a port.
 * @module
 */
import { randomFillSync } from 'node:crypto';

/** Where unpredictable bytes come from. */
export interface Entropy {
  /** Fresh random bytes, fit for secrets. */
  bytes(length: number): Uint8Array;
}

/** The operating system's generator. */
export const systemEntropy: Entropy = {
  bytes: (length) => randomFillSync(new Uint8Array(length)),
};
