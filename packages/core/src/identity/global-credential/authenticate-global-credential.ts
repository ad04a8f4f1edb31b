/** Authenticates a credential of the installation by its secret or by a held proof. */
import { type CredentialPrincipal, HeldProof, type HeldSubject } from '../../access/principal.js';
import type { PresentedSecret } from '../../access/presented-secret.js';
import { isLive } from '../credential/credential-policy.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { ReadTx } from '../../storage/store/store.js';
import { findGlobalCredential, type StoredGlobalCredential } from './global-credential-store.js';

/** Authenticates a credential by its secret. Returns `undefined` if it is wrong or not live. */
export function authenticateByGlobalSecret(
  tx: ReadTx,
  secret: PresentedSecret,
  nowMs: number,
): CredentialPrincipal | undefined {
  const credential = findGlobalCredential(tx, secret.id);
  if (credential === undefined) return undefined;
  return secret.proves(credential.verifier) ? principalOf(credential, nowMs) : undefined;
}

/** Authenticates a held credential, if it is still live and has the same secret. */
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
    // On the account surface, the master is the first administrator of the installation.
    role: isMaster ? 'SuperAdmin' : null,
    held: new HeldProof({
      kind: 'credential',
      tenantId: INSTALLATION,
      credentialId: id,
      verifier,
    }),
  };
}
