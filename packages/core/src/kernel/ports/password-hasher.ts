/** Password hashing as a port: slow on purpose, and never on the thread of the event loop. */

/** The purpose of a hash, so that a hasher can be fair. */
export interface PasswordWork {
  /** Tenant id, or an empty text for the installation. */
  readonly authority: string;
  /**
   * - `login`: somebody waits to log in
   * - `change`: a password is set, or checked before it is replaced
   */
  readonly purpose: 'login' | 'change';
}

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  /**
   * Returns the PHC string to store, with a fresh salt.
   *
   * @throws {AgentkeepError} `login_busy` when too many passwords wait already.
   */
  hash(password: string, work?: PasswordWork): Promise<string>;

  /**
   * Returns whether a password matches a PHC string. Without one, does the same work and returns
   * false.
   *
   * @throws {AgentkeepError} `login_busy`; `storage_inconsistency` for a string that was not made
   * with the parameters in force.
   */
  verify(stored: string | undefined, password: string, work?: PasswordWork): Promise<boolean>;
}
