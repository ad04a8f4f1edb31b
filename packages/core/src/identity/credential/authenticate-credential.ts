/** Authenticates a tenant credential by its secret or by a held proof. */
import { type CredentialPrincipal, HeldProof, type HeldSubject } from '../../access/principal.js';
import type { PresentedSecret } from '../../access/presented-secret.js';
import type { ReadTx } from '../../storage/store/store.js';
import { isLive } from './credential-policy.js';
import { findCredential, locateCredential, type StoredCredential } from './credential-store.js';

/** Authenticates a credential by its secret. Returns `undefined` if it is wrong or not live. */
export function authenticateBySecret(
  tx: ReadTx,
  secret: PresentedSecret,
  nowMs: number,
): CredentialPrincipal | undefined {
  const credential = locateCredential(tx, secret.id);
  if (credential === undefined) return undefined;
  return secret.proves(credential.verifier) ? principalOf(credential, nowMs) : undefined;
}

/** Authenticates a held credential, if it is still live and has the same secret. */
export function authenticateHeldCredential(
  tx: ReadTx,
  held: HeldSubject & { readonly kind: 'credential' },
  nowMs: number,
): CredentialPrincipal | undefined {
  const credential = findCredential(tx, held.tenantId, held.credentialId);
  return credential?.verifier === held.verifier ? principalOf(credential, nowMs) : undefined;
}

function principalOf(credential: StoredCredential, nowMs: number): CredentialPrincipal | undefined {
  if (!isLive(credential, nowMs)) return undefined;
  const { tenantId, id, verifier } = credential;
  return {
    kind: 'credential',
    authority: { kind: 'tenant', tenant_id: tenantId },
    id,
    credential,
    global: null,
    // On the account surface, an administrator of credentials is an Admin.
    role: credential.spec.capabilities.includes('credential_admin') ? 'Admin' : null,
    held: new HeldProof({ kind: 'credential', tenantId, credentialId: id, verifier }),
  };
}
