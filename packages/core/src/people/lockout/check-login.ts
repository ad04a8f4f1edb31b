/**
 * The login engine: every check of a password of an account goes through here, whichever route it
 * comes by, so that failures count together and nothing tells a known name from an unknown one.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Runtime } from '../../runtime/runtime.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { changeLockout, prepareLockoutChange, readLockout } from './change-lockout.js';
import {
  type LoginOrigin,
  lockoutTriggered,
  loginFailed,
  nameEvent,
  type NameEvent,
} from './lockout-events.js';
import {
  afterFailure,
  afterSuccess,
  type Lock,
  type Lockout,
  remainingAttempts,
} from './lockout-policy.js';
import type { LockoutName } from './lockout-store.js';
import { lockEnd } from './lockout-status.js';

/** What the engine runs on. */
export type LoginParts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'> & {
  readonly passwords: Pick<Runtime['passwords'], 'verify'>;
};

/** The account behind a name, as far as a login needs it. */
export interface LoginSubject {
  readonly accountId: string;
  /** PHC string. */
  readonly passwordHash: string;
  /** Whether the right password is enough: the account and the credential behind it are live. */
  readonly mayLogIn: boolean;
}

/** One attempt to log in, or to prove oneself once more by password. */
export interface LoginAttempt<S extends LoginSubject, T> extends LockoutName {
  readonly password: string;
  readonly origin: LoginOrigin;
  /** The account with this name in this authority, as it is at a time in Unix milliseconds. */
  find(tx: ReadTx, nowMs: number): S | undefined;
  /** Slow work for a right password, before the transaction that makes use of it. */
  prepare?(found: S): Promise<void>;
  /** What a good login leads to, in the transaction that decides; records its own event. */
  succeed(tx: WriteTx, found: S, nowMs: number): T;
}

type Outcome<T> =
  | { readonly kind: 'good'; readonly value: T }
  | { readonly kind: 'failed'; readonly lockout: Lockout }
  | { readonly kind: 'locked'; readonly lock: Lock };

/**
 * Checks a password, counts the failure or does what the login is for.
 * @throws {AgentkeepError} `account_locked` while the name is locked, also when the lock fell while
 * the password was checked; `invalid_login` for whatever is wrong, with the failures so far;
 * `login_busy` when too many passwords wait to be checked.
 */
export async function checkLogin<S extends LoginSubject, T>(
  parts: LoginParts,
  attempt: LoginAttempt<S, T>,
): Promise<T> {
  const seen = await lookUp(parts, attempt);
  // Without an account this is the same work, and false.
  const isRight = await parts.passwords.verify(seen?.passwordHash, attempt.password);
  if (isRight && seen?.mayLogIn === true) await attempt.prepare?.(seen);
  const change = prepareLockoutChange(parts, attempt);
  const eventIds = { failed: parts.newId(), triggered: parts.newId() };
  const outcome = await parts.store.transact((tx): Outcome<T> => {
    const found = attempt.find(tx, change.nowMs);
    // A password that was changed meanwhile is not the one that was checked.
    const isGood = isRight && found?.mayLogIn === true && isSameAccount(found, seen);
    const { before, after } = changeLockout(
      tx,
      { ...change, isKnown: found !== undefined },
      (lockout) => decided(lockout, isGood, change.nowMs),
    );
    if (before !== undefined && before.lock !== null) return { kind: 'locked', lock: before.lock };
    if (isGood) return { kind: 'good', value: attempt.succeed(tx, found, change.nowMs) };
    if (after === undefined) throw new AgentkeepError('internal_error');
    for (const event of failureEvents(after, change.nowMs, eventIds)) {
      parts.audit.changed(tx, nameEvent(tx, attempt, { ...event, origin: attempt.origin }));
    }
    return { kind: 'failed', lockout: after };
  });
  // Refused only now: inside, the refusal would undo the count.
  return settled(outcome, change.nowMs);
}

/** The account behind the name, unless the name is locked. */
function lookUp<S extends LoginSubject, T>(
  { store, clock }: LoginParts,
  attempt: LoginAttempt<S, T>,
): Promise<S | undefined> {
  const nowMs = clock.now();
  return store.read((tx) => {
    const lock = readLockout(tx, attempt, nowMs)?.lock ?? null;
    if (lock !== null) throw lockedError(lock, nowMs);
    return attempt.find(tx, nowMs);
  });
}

function isSameAccount(found: LoginSubject, seen: LoginSubject | undefined): boolean {
  return found.accountId === seen?.accountId && found.passwordHash === seen.passwordHash;
}

function decided(
  lockout: Lockout | undefined,
  isGood: boolean,
  nowMs: number,
): Lockout | undefined {
  if (lockout !== undefined && lockout.lock !== null) return lockout;
  if (isGood) return lockout && afterSuccess(lockout);
  return afterFailure(lockout, nowMs);
}

function failureEvents(
  lockout: Lockout,
  atMillis: number,
  ids: { readonly failed: string; readonly triggered: string },
): NameEvent[] {
  const events: NameEvent[] = [{ ...loginFailed(lockout), id: ids.failed, atMillis }];
  if (lockout.lock?.kind === 'timed') {
    const triggered = lockoutTriggered(lockout, lockout.lock.expiresMs);
    events.push({ ...triggered, id: ids.triggered, atMillis });
  }
  return events;
}

function settled<T>(outcome: Outcome<T>, nowMs: number): T {
  if (outcome.kind === 'good') return outcome.value;
  if (outcome.kind === 'locked') throw lockedError(outcome.lock, nowMs);
  const { lockout } = outcome;
  throw new AgentkeepError('invalid_login', {
    details: {
      failed_attempts: lockout.failedAttempts,
      remaining_attempts: remainingAttempts(lockout),
      ...(lockout.lock === null ? {} : { locked: true, ...lockEnd(lockout.lock, nowMs) }),
    },
  });
}

function lockedError(lock: Lock, nowMs: number): AgentkeepError {
  return new AgentkeepError('account_locked', {
    details: { locked: true, ...lockEnd(lock, nowMs) },
  });
}
