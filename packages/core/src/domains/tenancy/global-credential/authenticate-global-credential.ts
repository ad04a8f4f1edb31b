/** Authenticates a credential of the installation by its secret or by a held proof. */
import {
  type CredentialPrincipal,
  HeldProof,
  type HeldSubject,
} from '../../../kernel/access/principal.js';
import type { PresentedSecret } from '../../../kernel/access/secret.js';
import { isLive } from '../credential/credential-policy.js';
import { notePreviousUse, provedVerifier, stillProves } from '../credential/credential-rows.js';
import type { ProofCheck } from '../../../kernel/services/proof-check.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  findGlobalCredential,
  putGlobalCredentialUse,
  type StoredGlobalCredential,
} from './global-credential-store.js';

const stored = {
  find: (tx: ReadTx, { id }: StoredGlobalCredential) => findGlobalCredential(tx, id),
  put: putGlobalCredentialUse,
};

/** Authenticates a credential by its secret. Returns `undefined` if it is wrong or not live. */
export function authenticateByGlobalSecret(
  tx: ReadTx,
  secret: PresentedSecret,
  check: ProofCheck,
): CredentialPrincipal | undefined {
  const credential = findGlobalCredential(tx, secret.id);
  if (credential === undefined) return undefined;
  return principalOf(credential, provedVerifier(credential, secret, check.nowMs), check);
}

/** Authenticates a held credential, if it is still live and has the same secret. */
export function authenticateHeldGlobalCredential(
  tx: ReadTx,
  held: HeldSubject & { readonly kind: 'credential' },
  check: ProofCheck,
): CredentialPrincipal | undefined {
  const credential = findGlobalCredential(tx, held.credentialId);
  if (credential === undefined || !stillProves(credential, held.verifier, check.nowMs)) {
    return undefined;
  }
  return principalOf(credential, held.verifier, check);
}

function principalOf(
  global: StoredGlobalCredential,
  verifier: string | undefined,
  check: ProofCheck,
): CredentialPrincipal | undefined {
  if (verifier === undefined || !isLive(global, check.nowMs)) return undefined;
  notePreviousUse(global, verifier, check, stored);
  const { id, isMaster } = global;
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
