/**
 * Who makes a call, and how it proves that.
 * @module
 */
import type { Capability } from './capability.js';
import type { ScopeAuthority } from './scope.js';

/** The part of the world that a principal and all it touches live in. */
export type Authority =
  { readonly kind: 'global' } | { readonly kind: 'tenant'; readonly tenant_id: string };

/** What a principal may do: the current state of the credential that it acts with. */
export interface ActingCredential {
  readonly id: string;
  readonly tenantId: string;
  readonly spec: ScopeAuthority & {
    readonly subject_id: string;
    readonly capabilities: readonly Capability[];
    readonly expires_at_millis: number | null;
  };
  readonly revision: number;
  /** Keyed digest of the current secret; changes with every rotation. */
  readonly verifier: string;
  readonly revokedAtMillis: number | null;
}

/** A role that carries rights on the account surface; SuperAdmin includes Admin. */
export type AdminRole = 'Admin' | 'SuperAdmin';

/** An authenticated party. */
export interface Principal {
  readonly authority: Authority;
  /** Id of the credential or account; also names the client whose requests are counted. */
  readonly id: string;
  /** The credential that it acts with; null for an account that is bound to none. */
  readonly credential: ActingCredential | null;
  /** Its role in its authority; null when it has no rights over others. */
  readonly role: AdminRole | null;
  /** Proves the same again, without the secret: inside a transaction, or for a later call. */
  readonly held: HeldProof;
}

/** How a call proves who makes it. */
export type Proof =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'api_key'; readonly key: string }
  | HeldProof;

/**
 * The proof of an agent that was authenticated in this process before. It holds no secret, and it
 * dies with the secret that it stands for: the stored verifier must still be the same.
 */
export class HeldProof {
  readonly kind = 'held';
  readonly tenantId: string;
  readonly credentialId: string;
  readonly verifier: string;

  constructor(credential: ActingCredential) {
    this.tenantId = credential.tenantId;
    this.credentialId = credential.id;
    this.verifier = credential.verifier;
  }
}
