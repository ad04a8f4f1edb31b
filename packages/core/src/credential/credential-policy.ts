/**
 * Decides what may happen to a credential: pure rules over its state (identity-memory 3.2).
 * @module
 */
import type { ActingCredential } from '../access/principal.js';

/** Whether a credential still authenticates. */
export function isLive(credential: ActingCredential, nowMs: number): boolean {
  return credential.revokedAtMillis === null && !isExpired(credential, nowMs);
}

/** Whether a credential's end has come; the end itself is outside. */
export function isExpired(credential: ActingCredential, nowMs: number): boolean {
  const end = credential.spec.expires_at_millis;
  return end !== null && nowMs >= end;
}

/** What a request to change a credential comes to. */
export type ChangeDecision<T extends ActingCredential> =
  | { readonly type: 'proceed'; readonly target: T }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** Rotate and revoke: an unknown or foreign target, its revision, then whether it is revoked. */
export function decideEnding<T extends ActingCredential>(
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  if (target === undefined) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  if (target.revokedAtMillis !== null) return { type: 'forbidden' };
  return { type: 'proceed', target };
}

/** Scope authority: here a revoked target is refused before its revision is looked at. */
export function decideRescoping<T extends ActingCredential>(
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  if (target === undefined || target.revokedAtMillis !== null) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  return { type: 'proceed', target };
}
