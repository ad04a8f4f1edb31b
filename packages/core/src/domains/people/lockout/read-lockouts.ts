/** Reads the status of names. An expired lock is ended first, so that answers and events agree. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { LOCKOUT_FAILURES_MAX } from '../../../contract/limits.js';
import { timeText } from '../../../contract/schema/time.js';
import { TenantListParameters } from '../../../kernel/lists/account-lists.js';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { prepareLockoutChange, settleLockout } from './change-lockout.js';
import { type Lock, type Lockout, lockoutAt, remainingAttempts } from './lockout-policy.js';
import { findLockout, listLocked, type LockoutName, type StoredLockout } from './lockout-store.js';
import { LockoutList, type LockoutStatus } from './schema.js';

/** Names of one transaction, so that it delays others by milliseconds only. */
const SETTLED_AT_ONCE = 64;

type Parts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'>;

/** A locked name with its status. */
type LockedRow = [username: string, status: LockoutStatus];

/** Returns the current status of a name; all zero without a record. */
export async function readLockoutStatus(parts: Parts, name: LockoutName): Promise<LockoutStatus> {
  const nowMs = parts.clock.now();
  const stored = await parts.store.read((tx) => findLockout(tx, name));
  if (lockoutAt(stored, nowMs).endedMs === null) return showLockout(stored, nowMs);
  const change = prepareLockoutChange(parts, name);
  const lockout = await parts.store.transact((tx) => settleLockout(tx, change));
  return showLockout(lockout, change.nowMs);
}

/**
 * Returns the names that are locked now, in byte order, after a given name.
 * @throws {AgentkeepError} `storage_inconsistency` A listed name has no lock.
 */
export async function readLockedNames(
  parts: Parts,
  authority: string,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<LockedRow[]> {
  const nowMs = parts.clock.now();
  for (;;) {
    const rows = await parts.store.read((tx) =>
      allOrFirstFailure(listLocked(tx, authority, page), (name) => ({
        name,
        stored: findLocked(tx, name),
      })),
    );
    const over = rows.filter(({ stored }) => lockoutAt(stored, nowMs).endedMs !== null);
    if (over.length === 0) {
      return rows.map(({ name, stored }) => [name.username, showLockout(stored, nowMs)]);
    }
    const some = over.slice(0, SETTLED_AT_ONCE);
    const changes = some.map(({ name }) => ({ ...prepareLockoutChange(parts, name), nowMs }));
    await parts.store.transact((tx) => {
      for (const change of changes) settleLockout(tx, change);
    });
  }
}

function findLocked(tx: ReadTx, name: LockoutName): StoredLockout {
  const stored = findLockout(tx, name);
  if (stored === undefined || stored.lock === null) {
    throw new AgentkeepError('storage_inconsistency');
  }
  return stored;
}

/** When a lock ends; null members for a lock without an end. */
interface LockEnd {
  readonly lockout_expires: string | null;
  /** Rounded up, never negative. */
  readonly lockout_remaining_seconds: number | null;
}

/** Returns when a lock ends, relative to a time. */
export function lockEnd(lock: Lock | null, nowMs: number): LockEnd {
  if (lock?.kind !== 'timed') return { lockout_expires: null, lockout_remaining_seconds: null };
  return {
    lockout_expires: timeText(lock.expiresMs),
    lockout_remaining_seconds: Math.max(Math.ceil((lock.expiresMs - nowMs) / 1_000), 0),
  };
}

/** Returns the status of a name at a time; all zero without a record. */
export function showLockout(known: Lockout | undefined, nowMs: number): LockoutStatus {
  const { lockout } = lockoutAt(known, nowMs);
  const lock = lockout?.lock ?? null;
  return {
    locked: lock !== null,
    failed_attempts: lockout?.failedAttempts ?? 0,
    lockout_count: lockout?.lockoutCount ?? 0,
    ...lockEnd(lock, nowMs),
    remaining_attempts: lockout === undefined ? LOCKOUT_FAILURES_MAX : remainingAttempts(lockout),
    lockout_reason: lock?.kind === 'manual' ? lock.reason : null,
  };
}

/** Lists the locked names in byte order, without expired locks. */
export const listLockouts = defineAccountOperation({
  name: 'listLockouts',
  summary: 'List the names that are locked.',
  example: { parameters: {} },
  command: {
    name: 'lockouts list',
    columns: [
      { header: 'USERNAME', path: '0' },
      '1.failed_attempts',
      '1.lockout_expires',
      '1.lockout_reason',
    ],
  },
  tag: 'Lockouts',
  effect: 'read',
  input: { parameters: TenantListParameters },
  output: LockoutList,
  requires: { role: 'Admin' },
  checks: accountChecks,
  isHeavy: true,
  async handler({ runtime, input, authority }) {
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: 'lockouts', tenantId: authority };
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    const names = await readLockedNames(runtime, authority, { after, limit: limit + 1 });
    const { items, next_cursor } = directoryPage(
      names,
      limit,
      (row) => row,
      ([name]) => encodeCursor(identity, name),
    );
    return { count: items.length, locked_users: items, next_cursor };
  },
});
