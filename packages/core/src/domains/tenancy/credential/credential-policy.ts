/** The policy for changes of a credential's state (docs/contract/credentials.md#crd-42). */

/** The state that decides whether a credential of a tenant or of the installation is live. */
interface Lifespan {
  readonly spec: { readonly expires_at_millis: number | null };
  readonly revision: number;
  readonly revokedAtMillis: number | null;
}

/** Returns whether a credential authenticates. */
export function isLive(credential: Lifespan, nowMs: number): boolean {
  return credential.revokedAtMillis === null && !isExpired(credential, nowMs);
}

/** Returns whether a credential has expired. It expires at `expires_at_millis`. */
export function isExpired(credential: Lifespan, nowMs: number): boolean {
  const end = credential.spec.expires_at_millis;
  return end !== null && nowMs >= end;
}

/** The decision on a request to change a credential. */
export type ChangeDecision<T extends Lifespan> =
  | { readonly type: 'proceed'; readonly target: T }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** Decides a rotation or revocation: by target, then by revision, then by revocation. */
export function decideEnding<T extends Lifespan>(
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  if (target === undefined) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  if (target.revokedAtMillis !== null) return { type: 'forbidden' };
  return { type: 'proceed', target };
}

/** Decides a change of scope authority, where revocation comes before the revision. */
export function decideRescoping<T extends Lifespan>(
  target: T | undefined,
  expectedRevision: number,
): ChangeDecision<T> {
  if (target === undefined || target.revokedAtMillis !== null) return { type: 'forbidden' };
  if (target.revision !== expectedRevision) return { type: 'stale' };
  return { type: 'proceed', target };
}
