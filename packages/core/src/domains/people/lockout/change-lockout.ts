/**
 * Changes the lockout record of a name within the caller's transaction. An expired lock is ended
 * first, with its event.
 */
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { accountUnlocked, nameEvent, type UnlockCause } from './lockout-events.js';
import { afterNewPassword, type Lockout, lockoutAt } from './lockout-policy.js';
import { findLockout, type LockoutName, saveLockout } from './lockout-store.js';

/** Inputs of a change, prepared before the transaction. */
export interface LockoutChange {
  readonly audit: Runtime['audit'];
  readonly name: LockoutName;
  readonly nowMs: number;
  /** Id for the event of a lock that ends. */
  readonly unlockedEventId: string;
}

/** The record before and after a change. */
export interface ChangedLockout {
  readonly before: Lockout | undefined;
  readonly after: Lockout | undefined;
}

/** Prepares a change at the current time. */
export function prepareLockoutChange(
  { audit, clock, newId }: Pick<Runtime, 'audit' | 'clock' | 'newId'>,
  name: LockoutName,
): LockoutChange {
  return { audit, name, nowMs: clock.now(), unlockedEventId: newId() };
}

/** Returns the state of a name at a time, without ending a lock. */
export function readLockout(tx: ReadTx, name: LockoutName, nowMs: number): Lockout | undefined {
  return lockoutAt(findLockout(tx, name), nowMs).lockout;
}

/** Ends the lock of a name if it has expired, and removes a record that is too old. */
export function settleLockout(tx: WriteTx, change: LockoutChange): Lockout | undefined {
  return applyToLockout(tx, change, (lockout) => lockout).after;
}

/**
 * Stores a changed record. `isKnown` states whether an account has the name. An unchanged record
 * isn't written.
 */
export function changeLockout(
  tx: WriteTx,
  change: LockoutChange & { readonly isKnown: boolean },
  become: (lockout: Lockout | undefined) => Lockout | undefined,
): ChangedLockout {
  return applyToLockout(tx, change, become, change.isKnown);
}

/** Applies a new password: clears failures and ends a lock that they caused. */
export function settleNewPassword(tx: WriteTx, change: LockoutChange): void {
  const { nowMs } = change;
  const { before, after } = changeLockout(
    tx,
    { ...change, isKnown: true },
    (lockout) => lockout && afterNewPassword(lockout, nowMs),
  );
  const isEnded = (before?.lock ?? null) !== null && after?.lock === null;
  if (isEnded) recordUnlocked(tx, change, nowMs, 'password');
}

function applyToLockout(
  tx: WriteTx,
  change: LockoutChange,
  become: (lockout: Lockout | undefined) => Lockout | undefined,
  isKnown?: boolean,
): ChangedLockout {
  const { name, nowMs } = change;
  const stored = findLockout(tx, name);
  const { lockout: before, endedMs } = lockoutAt(stored, nowMs);
  if (endedMs !== null) recordUnlocked(tx, change, endedMs, 'expired');
  const after = become(before);
  // A change of `isKnown` alone isn't worth a write.
  const isNew = after !== before && isKnown !== undefined;
  const toStore = after && { ...after, isKnown: isNew ? isKnown : (stored?.isKnown ?? false) };
  saveLockout(tx, name, { before: stored, after: toStore });
  return { before, after };
}

function recordUnlocked(
  tx: WriteTx,
  { audit, name, nowMs, unlockedEventId: id }: LockoutChange,
  atMillis: number,
  cause: UnlockCause,
): void {
  const event = { ...accountUnlocked(name, cause), id, atMillis, noticedAtMillis: nowMs };
  audit.changed(tx, nameEvent(tx, name, event));
}
