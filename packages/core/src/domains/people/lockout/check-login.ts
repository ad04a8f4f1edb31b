/**
 * The login engine. Every password check of an account goes through it, whatever the route, so that
 * failures count together and known and unknown names can't be told apart.
 */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { PasswordWork } from '../../../kernel/ports/password-hasher.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { changeLockout, prepareLockoutChange, readLockout } from './change-lockout.js';
import {
  type LoginOrigin,
  lockoutTriggered,
  loginFailed,
  nameEvent,
  type NameEvent,
  passwordRefused,
} from './lockout-events.js';
import {
  afterFailure,
  afterSuccess,
  type Lock,
  type Lockout,
  remainingAttempts,
} from './lockout-policy.js';
import type { LockoutName } from './lockout-store.js';
import { allowsPasswords } from '../sign-in/settings-store.js';
import { lockEnd } from './read-lockouts.js';

/** Dependencies of the engine. */
export type LoginParts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit' | 'ports'>;

/** The part of an account that a login needs. */
export interface LoginSubject {
  readonly accountId: string;
  /** PHC string. */
  readonly passwordHash: string;
  /** Whether the account and its bound credential are live. */
  readonly mayLogIn: boolean;
}

/** An attempt to log in or to confirm a password. */
export interface LoginAttempt<S extends LoginSubject, T> extends LockoutName {
  readonly password: string;
  /** Default: `login`. */
  readonly purpose?: PasswordWork['purpose'];
  readonly origin: LoginOrigin;
  /** Finds the account with this name in this authority, at a time in Unix milliseconds. */
  find(tx: ReadTx, nowMs: number): S | undefined;
  /** Slow work after a correct password, before the transaction. */
  prepare?(found: S): Promise<void>;
  /** Applies a successful login in the deciding transaction; records its own event. */
  succeed(tx: WriteTx, found: S, nowMs: number): T;
}

type Outcome<T> =
  | { readonly kind: 'good'; readonly value: T }
  | { readonly kind: 'failed'; readonly lockout: Lockout }
  | { readonly kind: 'locked'; readonly lock: Lock }
  | { readonly kind: 'not_allowed' };

/**
 * Checks a password, then counts the failure or applies the login.
 * @throws {AgentkeepError} `account_locked` while the name is locked, also if the lock began during
 * the check; `passwords_not_allowed` where people sign in otherwise; `invalid_login` for any other
 * reason, with the failures so far; `login_busy` when too many passwords wait.
 */
export async function checkLogin<S extends LoginSubject, T>(
  parts: LoginParts,
  attempt: LoginAttempt<S, T>,
): Promise<T> {
  const isAllowed = await parts.store.read((tx) => allowsPasswords(tx, attempt.authority));
  if (!isAllowed) throw await passwordsOff(parts, attempt);
  const seen = await lookUp(parts, attempt);
  // Without an account this does the same work and returns false.
  const isRight = await passwords.of(parts).verify(seen?.passwordHash, attempt.password, {
    authority: attempt.authority,
    purpose: attempt.purpose ?? 'login',
  });
  if (isRight && seen?.mayLogIn === true) await attempt.prepare?.(seen);
  const change = prepareLockoutChange(parts, attempt);
  const eventIds = { failed: parts.newId(), triggered: parts.newId() };
  const outcome = await parts.store.transact((tx): Outcome<T> => {
    if (!allowsPasswords(tx, attempt.authority)) return { kind: 'not_allowed' };
    const found = attempt.find(tx, change.nowMs);
    // The password may have been changed since the check.
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
  if (outcome.kind === 'not_allowed') throw await passwordsOff(parts, attempt);
  // Throw outside the transaction, or the error would undo the count.
  return settled(outcome, change.nowMs);
}

/** Notes a password that is not even looked at, and returns the refusal. */
async function passwordsOff<S extends LoginSubject, T>(
  { store, clock, newId, audit }: LoginParts,
  attempt: LoginAttempt<S, T>,
): Promise<AgentkeepError> {
  const event = { ...passwordRefused(), id: newId(), atMillis: clock.now() };
  const { origin } = attempt;
  audit.observed(await store.read((tx) => nameEvent(tx, attempt, { ...event, origin })));
  return new AgentkeepError('passwords_not_allowed');
}

/** Finds the account, unless the name is locked. */
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

function settled<T>(outcome: Exclude<Outcome<T>, { kind: 'not_allowed' }>, nowMs: number): T {
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
