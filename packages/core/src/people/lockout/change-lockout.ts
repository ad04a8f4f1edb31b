/**
 * Changes what is remembered of a name, inside the transaction of whatever leads to the change. A
 * lock that has run out is ended on the way, with its event.
 * @module
 */
import type { Runtime } from '../../runtime/runtime.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { accountUnlocked, nameEvent, type UnlockCause } from './lockout-events.js';
import { afterNewPassword, type Lockout, lockoutAt } from './lockout-policy.js';
import { findLockout, type LockoutName, saveLockout } from './lockout-store.js';

/** What a change of a lockout needs; made ahead of the transaction. */
export interface LockoutChange {
  readonly audit: Runtime['audit'];
  readonly name: LockoutName;
  readonly nowMs: number;
  /** Id for the event of a lock that ends. */
  readonly unlockedEventId: string;
}

/** What was remembered at the moment of a change, and what is now. */
export interface ChangedLockout {
  readonly before: Lockout | undefined;
  readonly after: Lockout | undefined;
}

/** Prepares a change that happens now. */
export function prepareLockoutChange(
  { audit, clock, newId }: Pick<Runtime, 'audit' | 'clock' | 'newId'>,
  name: LockoutName,
): LockoutChange {
  return { audit, name, nowMs: clock.now(), unlockedEventId: newId() };
}

/** What is remembered of a name at a moment; ends nothing. */
export function readLockout(tx: ReadTx, name: LockoutName, nowMs: number): Lockout | undefined {
  return lockoutAt(findLockout(tx, name), nowMs).lockout;
}

/** Ends the lock of a name if it has run out, and forgets what is too old. */
export function settleLockout(tx: WriteTx, change: LockoutChange): Lockout | undefined {
  return applyToLockout(tx, change, (lockout) => lockout).after;
}

/**
 * Stores what becomes of a lockout. `isKnown` says whether an account has the name; what stays the
 * same is not written.
 */
export function changeLockout(
  tx: WriteTx,
  change: LockoutChange & { readonly isKnown: boolean },
  become: (lockout: Lockout | undefined) => Lockout | undefined,
): ChangedLockout {
  return applyToLockout(tx, change, become, change.isKnown);
}

/** What a new password does: failures are forgotten, and a lock that they led to ends. */
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
  // Whether an account has the name is only worth a write together with something else.
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
