/** The policy for rights over installation credentials (docs/contract/installation.md#ins-82). */
import type { ActingGlobalCredential } from '../../../kernel/access/principal.js';
import type { GlobalCapability } from '../../../kernel/access/capability.js';
import {
  type ChangeDecision,
  decideEnding as decideEndingOfKnown,
} from '../credential/credential-policy.js';

/** Returns whether an actor has all capabilities of a target. */
function isSuperset(actor: ActingGlobalCredential, target: ActingGlobalCredential): boolean {
  return target.spec.capabilities.every((each) => actor.spec.capabilities.includes(each));
}

/** Returns whether an actor with the capability for credentials may inspect a target. */
export function mayInspect(
  actor: ActingGlobalCredential,
  target: ActingGlobalCredential | undefined,
): target is ActingGlobalCredential {
  return target !== undefined && isSuperset(actor, target);
}

/** Decides a rotation or revocation. A target that the actor may not end is treated as unknown. */
export function decideEnding<T extends ActingGlobalCredential>(
  actor: ActingGlobalCredential,
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  const known = target !== undefined && mayEnd(actor, target) ? target : undefined;
  return decideEndingOfKnown(known, expectedRevision);
}

function mayEnd(actor: ActingGlobalCredential, target: ActingGlobalCredential): boolean {
  if (actor.id === target.id) return true;
  if (target.isMaster) return false;
  const administrates = actor.spec.capabilities.includes('global_credential_admin');
  return administrates && isSuperset(actor, target);
}

/** Returns whether a new credential exceeds neither the rights nor the lifetime of its issuer. */
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
