/**
 * Who may do what to a credential of the installation: pure rules (contract, administration 3.2).
 *
 * @module
 */
import type { ActingGlobalCredential } from '../../access/principal.js';
import type { GlobalCapability } from '../../access/global-capability.js';

/** What a request to end a credential or to replace its secret comes to. */
export type EndingDecision<T> =
  | { readonly type: 'proceed'; readonly target: T }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** Whether an actor's capabilities include all of a target's, whatever else either may do. */
function isSuperset(actor: ActingGlobalCredential, target: ActingGlobalCredential): boolean {
  return target.spec.capabilities.every((each) => actor.spec.capabilities.includes(each));
}

/** Whether an actor, known to administrate credentials, may look at a target. */
export function mayInspect(
  actor: ActingGlobalCredential,
  target: ActingGlobalCredential | undefined,
): target is ActingGlobalCredential {
  return target !== undefined && isSuperset(actor, target);
}

/** Rotate and revoke: unknown, authority, revision, then whether it is revoked. */
export function decideEnding<T extends ActingGlobalCredential>(
  actor: ActingGlobalCredential,
  target: T | undefined,
  expectedRevision: number,
): EndingDecision<T> {
  if (target === undefined || !mayEnd(actor, target)) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  if (target.revokedAtMillis !== null) return { type: 'forbidden' };
  return { type: 'proceed', target };
}

function mayEnd(actor: ActingGlobalCredential, target: ActingGlobalCredential): boolean {
  if (actor.id === target.id) return true;
  if (target.isMaster) return false;
  const administrates = actor.spec.capabilities.includes('global_credential_admin');
  return administrates && isSuperset(actor, target);
}

/** Whether a child only narrows what its issuer has: fewer or equal rights, no longer life. */
export function mayIssue(
  { spec }: ActingGlobalCredential,
  child: {
    readonly capabilities: readonly GlobalCapability[];
    readonly expires_at_millis: number | null;
  },
): boolean {
  const isNarrower = child.capabilities.every((each) => spec.capabilities.includes(each));
  const end = spec.expires_at_millis;
  const isShorter = end === null || (child.expires_at_millis ?? Infinity) <= end;
  return isNarrower && isShorter;
}
