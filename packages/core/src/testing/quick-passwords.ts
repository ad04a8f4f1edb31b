/** Password hashing that takes no time, for tests that are about something else. */
import type { PasswordHasher } from '../runtime/ports/password-hasher.js';

/** Keeps passwords as they are: never for anything but tests. */
export const quickPasswords: PasswordHasher = {
  hash: (password) => Promise.resolve(`plain:${password}`),
  verify: (stored, password) => Promise.resolve(stored === `plain:${password}`),
};
