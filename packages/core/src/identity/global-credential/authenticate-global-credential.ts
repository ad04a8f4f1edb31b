/**
 * Proves a credential of the installation by its secret, or by what is held of an earlier proof.
 *
 * @module
 */
import { type CredentialPrincipal, HeldProof, type HeldSubject } from '../../access/principal.js';
import { sameVerifier, type Secret, verifierOf } from '../../access/secret.js';
import { isLive } from '../credential/credential-policy.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findGlobalCredential, type StoredGlobalCredential } from './global-credential-store.js';

/** The party behind the secret of a credential of the installation, if it is live. */
export function authenticateByGlobalSecret(
  tx: ReadTx,
  secret: Secret,
  nowMs: number,
): CredentialPrincipal | undefined {
  const credential = findGlobalCredential(tx, secret.id);
  if (credential === undefined) return undefined;
  // In constant time, because the caller chose what is compared.
  const isProved = sameVerifier(credential.verifier, verifierOf(secret));
  return isProved ? principalOf(credential, nowMs) : undefined;
}

/** The party whose secret was proved before, if it is still the same secret and live. */
export function authenticateHeldGlobalCredential(
  tx: ReadTx,
  held: HeldSubject & { readonly kind: 'credential' },
  nowMs: number,
): CredentialPrincipal | undefined {
  const credential = findGlobalCredential(tx, held.credentialId);
  return credential?.verifier === held.verifier ? principalOf(credential, nowMs) : undefined;
}

function principalOf(
  global: StoredGlobalCredential,
  nowMs: number,
): CredentialPrincipal | undefined {
  if (!isLive(global, nowMs)) return undefined;
  const { id, verifier, isMaster } = global;
  return {
    kind: 'credential',
    authority: { kind: 'global' },
    id,
    credential: null,
    global,
    // On the account surface the master counts as the first administrator of the installation.
    role: isMaster ? 'SuperAdmin' : null,
    held: new HeldProof({
      kind: 'credential',
      tenantId: INSTALLATION,
      credentialId: id,
      verifier,
    }),
  };
}
