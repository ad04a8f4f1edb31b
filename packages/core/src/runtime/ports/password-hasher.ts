/** Password hashing as a port: slow on purpose, and never on the thread of the event loop. */

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  /**
   * Returns the PHC string to store, with a fresh salt.
   *
   * @throws {AgentkeepError} `login_busy` when too many passwords wait already.
   */
  hash(password: string): Promise<string>;

  /**
   * Returns whether a password matches a PHC string. Without one, does the same work and returns
   * false.
   *
   * @throws {AgentkeepError} `login_busy`; `storage_inconsistency` for a string that was not made
   * with the parameters in force.
   */
  verify(stored: string | undefined, password: string): Promise<boolean>;
}
