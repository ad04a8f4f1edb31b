/** Authenticates a tenant credential by its secret or by a held proof. */
import { keyVerifier } from '../../../kernel/access/key-thumbprint.js';
import {
  type CredentialPrincipal,
  HeldProof,
  type HeldSubject,
} from '../../../kernel/access/principal.js';
import type { PresentedSecret } from '../../../kernel/access/secret.js';
import type { ProofCheck } from '../../../kernel/services/proof-check.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { acceptsKeysOnly } from './require-secrets.js';
import { isLive } from './credential-policy.js';
import {
  findCredential,
  locateCredential,
  putCredentialState,
  type StoredCredential,
} from './credential-store.js';
import { notePreviousUse, provedVerifier, stillProves } from './credential-rows.js';

const stored = {
  find: (tx: ReadTx, { tenantId, id }: StoredCredential) => findCredential(tx, tenantId, id),
  put: putCredentialState,
};

/**
 * Authenticates a credential by its secret. Returns `undefined` if it is wrong or not live, or the
 * tenant accepts keys only.
 */
export function authenticateBySecret(
  tx: ReadTx,
  secret: PresentedSecret,
  check: ProofCheck,
): CredentialPrincipal | undefined {
  const credential = locateCredential(tx, secret.id);
  if (credential === undefined) return undefined;
  if (acceptsKeysOnly(tx, credential.tenantId)) return undefined;
  return principalOf(credential, provedVerifier(credential, secret, check.nowMs), check);
}

/** Authenticates a credential by the key that its holder proved. */
export function authenticateKeyHolder(
  tx: ReadTx,
  { credentialId, thumbprint }: HeldSubject & { readonly kind: 'key_holder' },
  check: ProofCheck,
): CredentialPrincipal | undefined {
  const credential = locateCredential(tx, credentialId);
  const verifier = keyVerifier(thumbprint);
  if (credential === undefined || !stillProves(credential, verifier, check.nowMs)) return undefined;
  return principalOf(credential, verifier, check);
}

/** Authenticates a held credential, if it is still live and has the same secret. */
export function authenticateHeldCredential(
  tx: ReadTx,
  held: HeldSubject & { readonly kind: 'credential' },
  check: ProofCheck,
): CredentialPrincipal | undefined {
  const credential = findCredential(tx, held.tenantId, held.credentialId);
  if (credential === undefined || !stillProves(credential, held.verifier, check.nowMs)) {
    return undefined;
  }
  return principalOf(credential, held.verifier, check);
}

function principalOf(
  credential: StoredCredential,
  verifier: string | undefined,
  check: ProofCheck,
): CredentialPrincipal | undefined {
  if (verifier === undefined || !isLive(credential, check.nowMs)) return undefined;
  notePreviousUse(credential, verifier, check, stored);
  const { tenantId, id } = credential;
  const held = new HeldProof({ kind: 'credential', tenantId, credentialId: id, verifier });
  return actingAsItself(credential, held);
}

/** Returns the principal of a credential that acts for itself. */
export function actingAsItself(credential: StoredCredential, held: HeldProof): CredentialPrincipal {
  const { tenantId, id } = credential;
  return {
    kind: 'credential',
    authority: { kind: 'tenant', tenant_id: tenantId },
    id,
    credential,
    global: null,
    // On the account surface, an administrator of credentials is an Admin.
    role: credential.spec.capabilities.includes('credential_admin') ? 'Admin' : null,
    held,
  };
}
