/** Authenticates callers by tokens of federation rules. */
import { type CredentialPrincipal, HeldProof } from '../../../kernel/access/principal.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { actingAsItself } from '../credential/authenticate-credential.js';
import { isLive } from '../credential/credential-policy.js';
import { locateCredential, type StoredCredential } from '../credential/credential-store.js';
import type { FederationRule } from '../credential/federation-rule.js';
import { acceptsKeysOnly } from '../credential/require-secrets.js';
import { type HeldDelegation, servicePrincipal } from '../delegation/authenticate-delegated.js';
import { subjectPin } from '../delegation/hold-delegation.js';
import { findLimits, type KnownLimits } from '../delegation/subject-store.js';
import { actsForItself, mayBeActedFor } from './federation-policy.js';
import { findIssuer, type StoredIssuer } from './issuer-store.js';

/**
 * Returns the principal of a token, or `undefined` once the credential, its issuer, the trust in
 * it as it was, the subject or the token ended.
 */
export function authenticateFederated(
  tx: ReadTx,
  held: HeldDelegation,
  nowMs: number,
): CredentialPrincipal | undefined {
  const { tenantId, credentialId, subjectId, expiresAtMillis } = held;
  if (expiresAtMillis !== null && nowMs >= expiresAtMillis) return undefined;
  const found = findFederated(tx, credentialId, nowMs);
  if (found?.credential.tenantId !== tenantId) return undefined;
  const { credential, issuer, rule } = found;
  const limits = findLimits(tx, tenantId, subjectId);
  if (federatedPin(credential, issuer, limits) !== held.pin) return undefined;
  if (!mayBeActedFor(found, subjectId, limits)) return undefined;
  if (!actsForItself(rule)) return servicePrincipal(tx, credential, held, limits);
  return actingAsItself(credential, new HeldProof(held));
}

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

/** Begins the verifier of a credential that an issuer proves. No digest of a secret has a colon. */
const FEDERATED = 'fed:';

/** Returns what is stored instead of the digest of a secret. */
export function federatedVerifier(credentialId: string): string {
  return FEDERATED + credentialId;
}

/** Returns a text that changes with every change of the issuer, and as {@link subjectPin} does. */
export function federatedPin(
  { verifier }: StoredCredential,
  { revision }: StoredIssuer,
  limits: KnownLimits | undefined,
): string {
  return subjectPin(`${verifier}:${revision}`, limits);
}
