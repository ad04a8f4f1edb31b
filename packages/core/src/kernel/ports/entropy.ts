/** Randomness as a port. */
import { randomFillSync } from 'node:crypto';

/** A source of unpredictable bytes. */
export interface Entropy {
  /** Returns random bytes that are fit for secrets. */
  bytes(length: number): Uint8Array;
}

/** The random generator of the operating system. */
export const systemEntropy: Entropy = {
  bytes: (length) => randomFillSync(new Uint8Array(length)),
};
