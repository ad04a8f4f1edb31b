/**
 * Principals, the parties that make calls, the authorities in which they act, their proofs, and the
 * port that checks the proofs of one kind of principal against durable state.
 */
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, Store } from '../../storage/store/store.js';
import type { AdminRole, Capability, GlobalCapability } from './capability.js';
import type { SentKeyProof } from './key-thumbprint.js';
import type { ScopeAuthority } from './scope.js';
import type { SubjectSelector } from './subject-selector.js';

/** Where a principal acts: the installation or one tenant. */
export type Authority =
  { readonly kind: 'global' } | { readonly kind: 'tenant'; readonly tenant_id: string };

/** The current state of the tenant credential that a principal acts with. */
export interface ActingCredential {
  readonly id: string;
  readonly tenantId: string;
  readonly spec: ScopeAuthority & {
    readonly subject_id: string;
    readonly capabilities: readonly Capability[];
    readonly expires_at_millis: number | null;
    readonly act_for?: SubjectSelector | undefined;
  };
  readonly revision: number;
  /** Keyed digest of the current secret; changes with every rotation. */
  readonly verifier: string;
  readonly revokedAtMillis: number | null;
  /** The service that acts for the subject of `spec`; absent if the credential is the subject's. */
  readonly actingService?: { readonly subject_id: string };
}

/** The current state of the credential of the installation that a principal acts with. */
export interface ActingGlobalCredential {
  readonly id: string;
  /** Whether it was made by the bootstrap of the installation. Its rights cannot be delegated. */
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
  /** Its role in its authority, or null if it has no rights over others. */
  readonly role: AdminRole | null;
  /** Proves the party again without its secret, inside a transaction or for a later call. */
  readonly held: HeldProof;
}

/** The credential that a principal acts with, which belongs to its tenant or the installation. */
type Acting =
  | { readonly credential: ActingCredential; readonly global: null }
  | { readonly credential: null; readonly global: ActingGlobalCredential };

/** A machine: a credential that acts for itself. */
export type CredentialPrincipal = Party & Acting & { readonly kind: 'credential' };

/** How an account is authenticated: by a session, or by an API key. */
export type AccountPresence =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      /** Id of the access token of this call. Absent for an opaque session. */
      readonly jti?: string;
    }
  | { readonly kind: 'api_key'; readonly keyId: string };

/** A person: an account, which acts on the platform with its bound credential. */
export type AccountPrincipal = Party &
  (Acting | { readonly credential: null; readonly global: null }) & {
    readonly kind: 'account';
    readonly username: string;
    readonly presence: AccountPresence;
  };

/** An authenticated party. */
export type Principal = CredentialPrincipal | AccountPrincipal;

/** How a caller authenticates. */
export type CallerProof =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'api_key'; readonly key: string }
  | (SentKeyProof & { readonly kind: 'key' })
  | HeldProof;

/** The subject of a held proof. The proof ends when the stored state that it names changes. */
export type HeldSubject =
  | {
      readonly kind: 'credential';
      /** Tenant part of its keys, empty for a credential of the installation. */
      readonly tenantId: string;
      readonly credentialId: string;
      /** The proof is valid while this is the stored digest of the secret. */
      readonly verifier: string;
    }
  | {
      /** The holder of the key of a credential. Its principal holds the credential itself. */
      readonly kind: 'key_holder';
      readonly credentialId: string;
      readonly thumbprint: string;
    }
  | {
      /** A credential that acts for another subject. */
      readonly kind: 'delegated';
      readonly tenantId: string;
      readonly credentialId: string;
      /** Names the secret that was used; see `secretPin()`. */
      readonly pin: string;
      readonly subjectId: string;
      /** When its token ends, in Unix milliseconds; null in the process of the service. */
      readonly expiresAtMillis: number | null;
    }
  | {
      readonly kind: 'session';
      /** Tenant part of the keys of the account. */
      readonly authority: string;
      readonly accountId: string;
      readonly sessionId: string;
      /** The access token of the proof, or null for an opaque session. */
      readonly token: { readonly jti: string; readonly expiresAtSecs: number } | null;
    }
  | {
      readonly kind: 'api_key';
      readonly authority: string;
      readonly accountId: string;
      readonly keyId: string;
    };

/**
 * The proof of a party that this process authenticated before. It contains no secret, and ends with
 * the secret that was used.
 */
export class HeldProof {
  readonly kind = 'held';
  readonly subject: HeldSubject;

  constructor(subject: HeldSubject) {
    this.subject = subject;
  }
}

/**
 * Effects to carry out after the body of a read. A body may run more than once, so it must not have
 * effects itself: each run fills a new list, and only the list of the last run is carried out.
 */
export type ReadEffects = (() => void)[];

/**
 * Checks a proof against the stored state. Returns `undefined` if it is not valid, for any reason.
 * Pass no `effects` to check a call again: then this use of the proof is not recorded.
 *
 * @throws {AgentkeepError} `subject_blocked` for a valid proof of a blocked subject.
 */
export type Authenticator = (
  tx: ReadTx,
  proof: CallerProof,
  nowMs: number,
  effects?: ReadEffects,
) => Principal | undefined;

/** Runs a read, then carries out the effects that its body added. */
export async function readWithEffects<T>(
  store: Pick<Store, 'read'>,
  body: (tx: ReadTx, effects: ReadEffects) => T,
): Promise<T> {
  const { result, effects } = await store.read((tx) => {
    const effects: ReadEffects = [];
    return { result: body(tx, effects), effects };
  });
  for (const effect of effects) effect();
  return result;
}

/** Returns the tenant part of the keys of an authority. */
export function keyOfAuthority(authority: Authority): string {
  return authority.kind === 'tenant' ? authority.tenant_id : INSTALLATION;
}

/** Returns the authority whose keys have this tenant part. */
export function authorityOf(key: string): Authority {
  return key === INSTALLATION ? { kind: 'global' } : { kind: 'tenant', tenant_id: key };
}

/** Returns the tenant id for answers and events, which is null for the installation. */
export function tenantIdOf(key: string): string | null {
  return key === INSTALLATION ? null : key;
}
