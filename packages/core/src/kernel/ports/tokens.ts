/** Access tokens as a port: signed statements that an account has a session. */
import type { ReadTx, Settled } from '../../storage/store/store.js';

/** The claims of a token, beside issuer, audience and time. */
export interface TokenClaims {
  readonly accountId: string;
  /** Tenant id, or null for an account of the installation. */
  readonly tenantId: string | null;
  readonly username: string;
  readonly roles: readonly string[];
  readonly sessionId: string;
  /** UUID of version 4. */
  readonly jti: string;
  /** The credential that the account is bound to, at the revision that the session pins. */
  readonly bound: { readonly credentialId: string; readonly revision: number } | null;
}

/** The claims of a token with which a credential acts for a subject, beside those of all tokens. */
export interface DelegationClaims {
  readonly tenantId: string;
  readonly credentialId: string;
  /** Names the secret that the token depends on. */
  readonly pin: string;
  /** The subject that is acted for. */
  readonly subjectId: string;
  /** The subject of the credential. */
  readonly service: string;
  /** Thumbprint of the key that a call has to prove beside the token; absent for a bearer token. */
  readonly thumbprint?: string | undefined;
  readonly jti: string;
}

/** A token of a subject whose signature, form and times are valid. */
export interface VerifiedDelegation extends DelegationClaims {
  readonly kind: 'delegated';
  /** The second from which on it has expired. */
  readonly expiresAtSecs: number;
}

/** A token of a session whose signature, form and times are valid. */
export interface VerifiedToken extends TokenClaims {
  readonly kind: 'session';
  readonly issuedAtSecs: number;
  /** The second from which on it has expired. */
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

/** A token and its lifetime. */
export interface IssuedToken {
  readonly token: string;
  readonly expiresInSecs: number;
}

/** Issues and verifies access tokens. */
export interface Tokens {
  /**
   * Issues a token with the configured lifetime, but never beyond `notAfterMs`. Its claims must
   * have the forms that accounts store; others would not verify.
   */
  issue(claims: TokenClaims, nowMs: number, notAfterMs: number): Promise<IssuedToken>;
  /** Issues a token with which a credential acts for a subject. */
  issueDelegated(
    claims: DelegationClaims,
    nowMs: number,
    lifetimeSecs: number,
  ): Promise<IssuedToken>;
  /**
   * Signs a statement of the installation as a compact JWS with this `typ`, and with the issuer of
   * tokens as `iss`. It is no token: its type is none that proves a caller.
   */
  signStatement(typ: string, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /**
   * Returns the claims of a token that is ours and not expired; synchronously when they are cached.
   * A token expires at the second `expiresAtSecs`, without tolerance.
   *
   * @throws {AgentkeepError} `storage_inconsistency` if a stored key does not verify. The token
   * itself never causes an error.
   */
  verify(token: string, nowMs: number): Settled<VerifiedToken | VerifiedDelegation | undefined>;
  /** Returns the verifying keys, the signing key first. Generates it if there is none yet. */
  publicKeys(): Promise<readonly PublicJwk[]>;
  /**
   * Loads the signing key. If there is none yet, begins to generate it and does not wait for it.
   * @throws {AgentkeepError} `storage_inconsistency` if a stored key does not verify.
   */
  prepare(): Promise<void>;
  /** Returns the thumbprints of the verifying keys that exist, the signing key first. */
  keyIds(tx: ReadTx): string[];
}
