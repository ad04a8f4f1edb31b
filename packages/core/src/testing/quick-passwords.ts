/** Password hashing without its cost, for tests of other things. */
import type { PasswordHasher } from '../kernel/ports/password-hasher.js';

/** Stores passwords in plain text. Use it only in tests. */
export const quickPasswords: PasswordHasher = {
  hash: (password) => Promise.resolve(`plain:${password}`),
  verify: (stored, password) => Promise.resolve(stored === `plain:${password}`),
};
