/** Reads the status of names. An expired lock is ended first, so that answers and events agree. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { prepareLockoutChange, settleLockout } from './change-lockout.js';
import { lockoutAt } from './lockout-policy.js';
import { findLockout, listLocked, type LockoutName, type StoredLockout } from './lockout-store.js';
import { showLockout } from './lockout-status.js';
import type { LockoutStatus } from './schema.js';

/** Names of one transaction, so that it delays others by milliseconds only. */
const SETTLED_AT_ONCE = 64;

type Parts = Pick<Runtime, 'store' | 'clock' | 'newId' | 'audit'>;

/** A locked name with its status. */
export type LockedRow = [username: string, status: LockoutStatus];

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
      listLocked(tx, authority, page).map((name) => ({ name, stored: findLocked(tx, name) })),
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
