/** Decides which sessions are live, and which end when a new one begins. */
import { USE_PRECISION_MS } from '../../../contract/limits.js';
import type { PinnedCredential, StoredSession } from './session-store.js';

/** Most live sessions of each kind per account. */
export const LIVE_SESSIONS_MAX = 32;

/** Returns whether a session is live, given the current state of the account's bound credential. */
export function isLiveSession(
  session: StoredSession,
  bound: PinnedCredential | null,
  nowMs: number,
): boolean {
  return nowMs < session.expiresAtMillis && isPinnedTo(session, bound);
}

/** Returns whether a session was idle for too long; `idleMs` is 0 for no limit. */
export function isIdle(lastUsedMs: number, idleMs: number, nowMs: number): boolean {
  return idleMs !== 0 && nowMs - lastUsedMs >= idleMs + USE_PRECISION_MS;
}

/** Returns what a session pins of the credential that its account is bound to. */
export function pinOf(
  credential: { readonly id: string; readonly revision: number } | null,
): PinnedCredential | null {
  return credential && { credentialId: credential.id, revision: credential.revision };
}

/** Returns the sessions that end when one is added: dead ones, then the oldest beyond the bound. */
export function sessionsThatGiveWay(
  sessions: readonly StoredSession[],
  kind: StoredSession['kind'],
  bound: PinnedCredential | null,
  nowMs: number,
): StoredSession[] {
  const isLive = (session: StoredSession): boolean => isLiveSession(session, bound, nowMs);
  const live = sessions.filter((session) => session.kind === kind && isLive(session));
  const dead = sessions.filter((session) => !isLive(session));
  return [...dead, ...live.slice(0, Math.max(0, live.length - LIVE_SESSIONS_MAX + 1))];
}

function isPinnedTo({ pinned }: StoredSession, bound: PinnedCredential | null): boolean {
  if (pinned === null || bound === null) return pinned === bound;
  return pinned.credentialId === bound.credentialId && pinned.revision === bound.revision;
}
