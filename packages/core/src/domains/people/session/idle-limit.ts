/** Ends sessions that were idle for too long. */
import { Port } from '../../../kernel/ports/port.js';
import type { Authenticator, Principal } from '../../../kernel/access/principal.js';
import { type UsedEntry, type UseLog, useToStore } from '../../../kernel/services/use-log.js';
import type { ReadTx, Store } from '../../../storage/store/store.js';
import { isIdle } from './session-policy.js';
import { findSession, putSession, removeSession, type StoredSession } from './session-store.js';

/** Longest time without use of a session with access tokens, in milliseconds; 0: no limit. */
export const sessionIdleMs = new Port<number>('sessionIdleMs');

/** Dependencies and setting of the idle limit. */
export interface IdleLimitParts {
  readonly store: Pick<Store, 'transact'>;
  readonly uses: UseLog;
  /** Longest time without use in milliseconds; 0 for no limit. */
  readonly idleMs: number;
}

/**
 * Wraps an authenticator so that idle sessions end. Times of use are stored to the minute, so a
 * session may live up to a minute longer than the limit, and never shorter.
 */
export function underIdleLimit(authenticate: Authenticator, parts: IdleLimitParts): Authenticator {
  const { store, uses, idleMs } = parts;
  if (idleMs === 0) return authenticate;
  return (tx, proof, nowMs, effects) => {
    const principal = authenticate(tx, proof, nowMs, effects);
    const session = principal && jwtSessionOf(tx, principal);
    if (session === undefined) return principal;
    if (isIdle(lastUseOf(uses, session), idleMs, nowMs)) {
      effects?.push(() => {
        // If this fails, the session is still idle at the next call.
        end(store, session).catch(() => undefined);
      });
      return undefined;
    }
    effects?.push(() => {
      uses.note(useOf(session), nowMs);
    });
    return principal;
  };
}

/** Returns the last use of a session with access tokens that is known, in Unix milliseconds. */
export function lastUseOf(uses: UseLog, session: StoredSession): number {
  return uses.latest(useOf(session)) ?? session.createdAtMillis;
}

function jwtSessionOf(tx: ReadTx, principal: Principal): StoredSession | undefined {
  const { subject } = principal.held;
  if (subject.kind !== 'session' || subject.token === null) return undefined;
  return findSession(tx, subject.authority, subject.accountId, subject.sessionId);
}

function useOf(session: StoredSession): UsedEntry {
  return {
    name: `session ${session.id}`,
    storedMs: session.lastUsedMillis,
    store: (tx, usedMs) => {
      const current = currentOf(tx, session);
      if (current === undefined) return;
      const knownMs = session.lastUsedMillis;
      const lastUsedMillis = useToStore(current.lastUsedMillis, { knownMs, usedMs });
      if (lastUsedMillis !== undefined) putSession(tx, { ...current, lastUsedMillis });
    },
  };
}

/** Removes a session, so that a clock that is set back doesn't revive it. */
async function end(store: Pick<Store, 'transact'>, session: StoredSession): Promise<void> {
  await store.transact((tx) => {
    const current = currentOf(tx, session);
    if (current?.lastUsedMillis === session.lastUsedMillis) removeSession(tx, session);
  });
}

function currentOf(tx: ReadTx, session: StoredSession): StoredSession | undefined {
  return findSession(tx, session.authority, session.accountId, session.id);
}
