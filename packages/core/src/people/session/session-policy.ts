/**
 * Which sessions are live, and which make room for a new one.
 *
 * @module
 */
import type { PinnedCredential, StoredSession } from './session-store.js';

/** Most live sessions of each kind that an account has. */
const LIVE_SESSIONS_MAX = 32;

/** The credential that an account is bound to, as it is now; null when it is bound to none. */
export type BoundCredential = PinnedCredential | null;

/** Whether a session still counts, given the state of the credential that it may hold on to. */
export function isLiveSession(
  session: StoredSession,
  bound: BoundCredential,
  nowMs: number,
): boolean {
  return nowMs < session.expiresAtMillis && isPinnedTo(session, bound);
}

/** Sessions that go when one of this kind is added: dead ones, then the oldest beyond the bound. */
export function sessionsThatGiveWay(
  sessions: readonly StoredSession[],
  kind: StoredSession['kind'],
  bound: BoundCredential,
  nowMs: number,
): StoredSession[] {
  const isLive = (session: StoredSession): boolean => isLiveSession(session, bound, nowMs);
  const live = sessions.filter((session) => session.kind === kind && isLive(session));
  const dead = sessions.filter((session) => !isLive(session));
  return [...dead, ...live.slice(0, Math.max(0, live.length - LIVE_SESSIONS_MAX + 1))];
}

function isPinnedTo({ pinned }: StoredSession, bound: BoundCredential): boolean {
  if (pinned === null || bound === null) return pinned === bound;
  return pinned.credentialId === bound.credentialId && pinned.revision === bound.revision;
}
