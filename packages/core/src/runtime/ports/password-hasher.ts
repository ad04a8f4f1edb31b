/**
 * Password hashing as a port: slow on purpose, and never on the thread of the event loop.
 *
 * @module
 */

/** Makes and checks what is stored in place of a password. */
export interface PasswordHasher {
  /**
   * The PHC string to store, with a fresh salt.
   *
   * @throws {AgentkeepError} `login_busy` when too much of this work waits already.
   */
  hash(password: string): Promise<string>;

  /**
   * Whether a password is the one behind a PHC string; without one, the same work and false.
   *
   * @throws {AgentkeepError} `login_busy`; `storage_inconsistency` for a string that was not made
   * with the parameters in force.
   */
  verify(stored: string | undefined, password: string): Promise<boolean>;
}
