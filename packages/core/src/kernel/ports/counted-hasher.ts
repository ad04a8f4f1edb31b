/** A password hasher that counts its unfinished calls. */
import type { PasswordHasher, PasswordWork } from './password-hasher.js';
import { Port } from './port.js';

/** Hashes and verifies passwords. */
export const passwords = new Port<CountedHasher>('passwords');

/**
 * Hashes with another hasher, and counts the calls that are not answered yet. Callers must say what
 * the work is for.
 */
export class CountedHasher {
  readonly #hasher: PasswordHasher;
  #waiting = 0;

  constructor(hasher: PasswordHasher) {
    this.#hasher = hasher;
  }

  /** Passwords that are being hashed or wait for it. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Hashes a password as the other hasher does. */
  hash(password: string, work: PasswordWork): Promise<string> {
    return this.#count(() => this.#hasher.hash(password, work));
  }

  /** Verifies a password as the other hasher does. */
  verify(stored: string | undefined, password: string, work: PasswordWork): Promise<boolean> {
    return this.#count(() => this.#hasher.verify(stored, password, work));
  }

  async #count<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
    }
  }
}
