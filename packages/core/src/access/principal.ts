/** Principals and their proofs. */
import type { Capability } from './capability.js';
import type { GlobalCapability } from './global-capability.js';
import type { AdminRole } from './role.js';
import type { ScopeAuthority } from './scope.js';

/** A tenant, or the installation. */
export type Authority =
  { readonly kind: 'global' } | { readonly kind: 'tenant'; readonly tenant_id: string };

/** The current state of a tenant's credential that a principal acts with. */
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

/** The current state of a credential of the installation that a principal acts with. */
export interface ActingGlobalCredential {
  readonly id: string;
  /** Made by the bootstrap of the installation; its rights cannot be delegated. */
  readonly isMaster: boolean;
  readonly spec: {
    readonly subject_id: string;
    readonly capabilities: readonly GlobalCapability[];
    readonly expires_at_millis: number | null;
  };
  readonly revision: number;
  /** Keyed digest of the current secret; changes with every rotation. */
  readonly verifier: string;
  readonly revokedAtMillis: number | null;
}

interface Party {
  readonly authority: Authority;
  /** Id of the credential or account; also names the client whose requests are counted. */
  readonly id: string;
  /** Its role in its authority; null when it has no rights over others. */
  readonly role: AdminRole | null;
  /** Proves the party again without its secret: inside a transaction, or for a later call. */
  readonly held: HeldProof;
}

/** The credential that a principal acts with: of its tenant, or of the installation. */
type Acting =
  | { readonly credential: ActingCredential; readonly global: null }
  | { readonly credential: null; readonly global: ActingGlobalCredential };

/** A machine: a credential that acts for itself. */
export type CredentialPrincipal = Party & Acting & { readonly kind: 'credential' };

/** How an account has proved itself. */
export type AccountPresence =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      /** The access token of this call; absent for an opaque session. */
      readonly jti?: string;
    }
  | { readonly kind: 'api_key'; readonly keyId: string };

/** A person. On the platform, the account acts with the credential that it is bound to. */
export type AccountPrincipal = Party &
  (Acting | { readonly credential: null; readonly global: null }) & {
    readonly kind: 'account';
    readonly username: string;
    readonly presence: AccountPresence;
  };

/** An authenticated party. */
export type Principal = CredentialPrincipal | AccountPrincipal;

/** How a call proves who makes it. */
export type Proof =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'api_key'; readonly key: string }
  | HeldProof;

/** The stored state that a held proof depends on; the proof ends when that state ends. */
export type HeldSubject =
  | {
      readonly kind: 'credential';
      /** Tenant part of its keys; empty for one of the installation. */
      readonly tenantId: string;
      readonly credentialId: string;
      /** The stored digest of the secret must still be the same. */
      readonly verifier: string;
    }
  | {
      readonly kind: 'session';
      /** Tenant part of the keys of the account. */
      readonly authority: string;
      readonly accountId: string;
      readonly sessionId: string;
      /** The access token that opened the call; null for an opaque session. */
      readonly token: { readonly jti: string; readonly expiresAtSecs: number } | null;
    }
  | {
      readonly kind: 'api_key';
      readonly authority: string;
      readonly accountId: string;
      readonly keyId: string;
    };

/**
 * The proof of a party that this process has authenticated before. It holds no secret, and it ends
 * when the secret ends.
 */
export class HeldProof {
  readonly kind = 'held';
  readonly subject: HeldSubject;

  constructor(subject: HeldSubject) {
    this.subject = subject;
  }
}
