/** A password hasher that counts its unfinished calls. */
import type { PasswordHasher } from './password-hasher.js';

/** Hashes with another hasher, and counts the calls that are not answered yet. */
export class CountedHasher implements PasswordHasher {
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
  hash(password: string): Promise<string> {
    return this.#count(() => this.#hasher.hash(password));
  }

  /** Verifies a password as the other hasher does. */
  verify(stored: string | undefined, password: string): Promise<boolean> {
    return this.#count(() => this.#hasher.verify(stored, password));
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
