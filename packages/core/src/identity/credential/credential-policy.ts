/**
 * Decides what may happen to a credential: pure rules over its state (identity-memory 3.2).
 * @module
 */

/** What decides whether a credential of a tenant or of the installation is live. */
interface Lifespan {
  readonly spec: { readonly expires_at_millis: number | null };
  readonly revision: number;
  readonly revokedAtMillis: number | null;
}

/** Whether a credential still authenticates. */
export function isLive(credential: Lifespan, nowMs: number): boolean {
  return credential.revokedAtMillis === null && !isExpired(credential, nowMs);
}

/** Whether a credential's end has come; the end itself is outside. */
export function isExpired(credential: Lifespan, nowMs: number): boolean {
  const end = credential.spec.expires_at_millis;
  return end !== null && nowMs >= end;
}

/** What a request to change a credential comes to. */
export type ChangeDecision<T extends Lifespan> =
  | { readonly type: 'proceed'; readonly target: T }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** Rotate and revoke: an unknown or foreign target, its revision, then whether it is revoked. */
export function decideEnding<T extends Lifespan>(
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  if (target === undefined) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  if (target.revokedAtMillis !== null) return { type: 'forbidden' };
  return { type: 'proceed', target };
}

/** Scope authority: here a revoked target is refused before its revision is looked at. */
export function decideRescoping<T extends Lifespan>(
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  if (target === undefined || target.revokedAtMillis !== null) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  return { type: 'proceed', target };
}
