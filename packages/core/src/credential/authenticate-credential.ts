/**
 * Proves a tenant credential by its secret, or by what is held of an earlier proof.
 * @module
 */
import type { Authenticator } from '../access/authenticator.js';
import { HeldProof, type Principal, type Proof } from '../access/principal.js';
import { AgentkeepError } from '../errors/agentkeep-error.js';
import type { ReadTx } from '../store/store.js';
import { isLive } from './credential-policy.js';
import { findCredential, locateCredential, type StoredCredential } from './credential-store.js';
import { parseSecret, sameVerifier, verifierOf } from './secret.js';

/** The authenticator of tenant credentials; one that does not verify is an `internal_error`. */
export const authenticateCredential: Authenticator = (tx, proof, nowMs) => {
  try {
    return proved(tx, proof, nowMs);
  } catch (cause) {
    // To tell it as damage of what was asked for would tell it before anybody is authenticated.
    const isDamage = cause instanceof AgentkeepError && cause.code === 'storage_inconsistency';
    throw isDamage ? new AgentkeepError('internal_error', { cause }) : cause;
  }
};

function proved(tx: ReadTx, proof: Proof, nowMs: number): Principal | undefined {
  switch (proof.kind) {
    case 'bearer':
      return bySecret(tx, proof.token, nowMs);
    case 'held':
      return byHeldProof(tx, proof, nowMs);
    case 'api_key':
      return undefined;
  }
}

function bySecret(tx: ReadTx, token: string, nowMs: number): Principal | undefined {
  const secret = parseSecret(token);
  if (secret === undefined) return undefined;
  const credential = locateCredential(tx, secret.credentialId);
  if (credential === undefined) return undefined;
  // In constant time, because the caller chose what is compared.
  const isProved = sameVerifier(credential.verifier, verifierOf(secret.bytes));
  return isProved ? principalOf(credential, nowMs) : undefined;
}

function byHeldProof(tx: ReadTx, held: HeldProof, nowMs: number): Principal | undefined {
  const credential = findCredential(tx, held.tenantId, held.credentialId);
  return credential?.verifier === held.verifier ? principalOf(credential, nowMs) : undefined;
}

function principalOf(credential: StoredCredential, nowMs: number): Principal | undefined {
  if (!isLive(credential, nowMs)) return undefined;
  return {
    authority: { kind: 'tenant', tenant_id: credential.tenantId },
    id: credential.id,
    credential,
    // On the account surface an administrator of credentials counts as one of accounts.
    role: credential.spec.capabilities.includes('credential_admin') ? 'Admin' : null,
    held: new HeldProof(credential),
  };
}
