/**
 * Access tokens as a port: signed statements that an account has a session.
 *
 * @module
 */

/** What a token states, beside issuer, audience and time. */
export interface TokenClaims {
  readonly accountId: string;
  /** Tenant id, or null for an account of the installation. */
  readonly tenantId: string | null;
  readonly username: string;
  readonly roles: readonly string[];
  readonly sessionId: string;
  /** UUID of version 4. */
  readonly jti: string;
  /** Credential that the account is bound to, at the revision that the session pins. */
  readonly bound: { readonly credentialId: string; readonly revision: number } | null;
}

/** A token whose signature, form and times were found good. */
export interface VerifiedToken extends TokenClaims {
  readonly issuedAtSecs: number;
  /** Dead from this second on. */
  readonly expiresAtSecs: number;
}

/** The public half of a verifying key (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly use: 'sig';
  readonly alg: 'RS256';
  /** Thumbprint (RFC 7638). */
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

/** A token and how long it lives. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresInSecs: number;
}

/** Makes and checks access tokens. */
export interface Tokens {
  /**
   * A token that lives as long as the options say, and never past `notAfterMs`. Its claims are of
   * the forms that accounts keep; such as break them would not verify.
   */
  issue(claims: TokenClaims, nowMs: number, notAfterMs: number): Promise<IssuedToken>;
  /**
   * What a token states, if it is one of ours and not expired; at once when it is remembered. Dead
   * from the second `expiresAtSecs` on, without tolerance.
   * @throws {AgentkeepError} `storage_inconsistency` if a stored key does not verify; nothing for
   * the sake of a token.
   */
  verify(
    token: string,
    nowMs: number,
  ): VerifiedToken | undefined | Promise<VerifiedToken | undefined>;
  /** The keys that verify, the one that signs first; makes it if there is none yet. */
  publicKeys(): Promise<readonly PublicJwk[]>;
}
