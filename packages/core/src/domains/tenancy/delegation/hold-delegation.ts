/** Holds what a delegated call was proved by. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { wrongMembers } from '../../../contract/errors/arguments.js';
import { isTextId, TEXT_RULE } from '../../../contract/schema/text.js';
import { HeldProof, type HeldSubject } from '../../../kernel/access/principal.js';
import { secretPin } from '../../../kernel/access/secret.js';
import { requireAdmitted } from '../../../kernel/erased/erased-subject-store.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findCredential } from '../credential/credential-store.js';
import { mayActFor } from './delegated-authority-policy.js';
import { findLimits, type KnownLimits } from './subject-store.js';

const NO_SECRET =
  'Only a credential that calls with its own secret can act for subjects. ' +
  'Call with the secret of the service, and not with a login or a token.';

/** A service and one of its subjects. */
interface Delegation {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly subjectId: string;
  /** That of the secret that the service called with. */
  readonly verifier: string;
}

/**
 * Returns the subject of a proof by the secret of a credential. A delegation ends with the secret
 * that it was begun with, and people and tokens have none.
 *
 * @throws {AgentkeepError} `forbidden` for any other proof.
 */
export function requireSecret({ subject }: HeldProof): HeldSubject & {
  readonly kind: 'credential';
} {
  if (subject.kind === 'credential' && subject.tenantId !== INSTALLATION) return subject;
  throw new AgentkeepError('forbidden', { message: NO_SECRET });
}

/**
 * Checks that a service may act for a subject. Returns the pin of what it acts with.
 *
 * @throws {AgentkeepError} `subject_erased`; `forbidden` with the reason.
 */
export function requireDelegation(tx: ReadTx, delegation: Delegation): string {
  const { tenantId, credentialId, subjectId, verifier } = delegation;
  const service = findCredential(tx, tenantId, credentialId);
  if (service === undefined) throw new AgentkeepError('storage_inconsistency');
  requireAdmitted(tx, tenantId, subjectId);
  const limits = findLimits(tx, tenantId, subjectId);
  if (mayActFor(service, subjectId, limits)) return subjectPin(verifier, limits);
  const message =
    limits?.isBlocked === true
      ? `The subject \`${subjectId}\` is blocked, so nothing acts for it. ` +
        'An administrator can unblock it.'
      : `The credential of \`${service.spec.subject_id}\` may not act for \`${subjectId}\`: its ` +
        '`act_for` does not select it. Ask an administrator for a credential that does.';
  throw new AgentkeepError('forbidden', { message });
}

/**
 * Returns a proof with which a service acts for a subject in this process.
 *
 * @throws {AgentkeepError} `unauthorized` if the proof of the service ended; `subject_erased`;
 * `forbidden` if it may not act for the subject.
 */
export async function holdDelegation(
  { store, clock, authenticate }: Runtime,
  service: HeldProof,
  subjectId: string,
): Promise<HeldProof> {
  if (!isTextId(subjectId)) {
    throw wrongMembers('agent.for()', [{ path: 'subject', expected: TEXT_RULE }]);
  }
  const { tenantId, credentialId, verifier } = requireSecret(service);
  const nowMs = clock.now();
  const pin = await store.read((tx) => {
    if (authenticate(tx, service, nowMs) === undefined) throw new AgentkeepError('unauthorized');
    return requireDelegation(tx, { tenantId, credentialId, subjectId, verifier });
  });
  return new HeldProof({
    kind: 'delegated',
    ...{ tenantId, credentialId, pin, subjectId },
    expiresAtMillis: null,
  });
}

/**
 * Returns a text that changes with the secret of the service, and with each time that the subject
 * was admitted anew.
 */
export function subjectPin(verifier: string, limits: KnownLimits | undefined): string {
  const admission = limits?.admission ?? null;
  return secretPin(admission === null ? verifier : `${verifier}:${admission}`);
}

/**
 * Returns the subject of a credential whose holder may choose for whom it acts. Null for one
 * that an issuer proves: it vouches for each person, and no party holds a secret.
 */
export function serviceOf(tx: ReadTx, tenantId: string, credentialId: string): string | null {
  const credential = findCredential(tx, tenantId, credentialId);
  return credential === undefined || credential.federation !== null
    ? null
    : credential.spec.subject_id;
}
