/** Finds a credential with the issuer that proves it. */
import type { ReadTx } from '../../../storage/store/store.js';
import { isLive } from '../credential/credential-policy.js';
import { locateCredential, type StoredCredential } from '../credential/credential-store.js';
import type { FederationRule } from '../credential/federation-rule.js';
import { acceptsKeysOnly } from '../credential/key-requirement-store.js';
import { findIssuer, type StoredIssuer } from './issuer-store.js';

/** A live credential with the issuer that proves it. */
export interface Federated {
  readonly credential: StoredCredential;
  readonly rule: FederationRule;
  readonly issuer: StoredIssuer;
}

/**
 * Returns a live federated credential, or `undefined`: also where its issuer is blocked, or where
 * its tenant accepts keys only.
 */
export function findFederated(
  tx: ReadTx,
  credentialId: string,
  nowMs: number,
): Federated | undefined {
  const credential = locateCredential(tx, credentialId);
  const rule = credential?.federation;
  if (credential === undefined || rule === undefined || rule === null) return undefined;
  const { tenantId } = credential;
  const issuer = findIssuer(tx, tenantId, rule.issuer);
  if (issuer === undefined || issuer.isBlocked || !isLive(credential, nowMs)) return undefined;
  if (acceptsKeysOnly(tx, tenantId)) return undefined;
  return { credential, rule, issuer };
}
