/**
 * Lockouts in the store: a record a name, and what finds the names that are locked and those that
 * something is due for. Names that have no account are kept in bounded number.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { LOCKOUT_UNKNOWN_NAMES_MAX } from '../../contract/limits.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import { type Lock, type Lockout, lockoutDue } from './lockout-policy.js';

/** A name in its authority. */
export interface LockoutName {
  /** Tenant id, or an empty text for the installation. */
  readonly authority: string;
  readonly username: string;
}

/** What is stored of a name. */
export interface StoredLockout extends Lockout {
  /** Whether an account had the name when the record was last written. */
  readonly isKnown: boolean;
}

/** Something that is due for a name. */
export interface DueLockout {
  readonly kind: number;
  readonly atMs: number;
  readonly name: LockoutName;
}

type RecordFields = [
  failedAttempts: number,
  firstFailureMs: number | null,
  lastChangeMs: number,
  lockoutCount: number,
  lock: Lock | null,
  isKnown: boolean,
];

function fieldsOf(it: StoredLockout): RecordFields {
  const { failedAttempts, firstFailureMs, lastChangeMs, lockoutCount, lock, isKnown } = it;
  return [failedAttempts, firstFailureMs, lastChangeMs, lockoutCount, lock, isKnown];
}

const records = new Subspace(
  keyspace.lockouts,
  fieldsLayout<StoredLockout, RecordFields>(
    1,
    fieldsOf,
    ([failedAttempts, firstFailureMs, lastChangeMs, lockoutCount, lock, isKnown]) => ({
      failedAttempts,
      firstFailureMs,
      lastChangeMs,
      lockoutCount,
      lock,
      isKnown,
    }),
  ),
);

/** The parts of a key that cannot be read back from it. */
const nameLayout = fieldsLayout<LockoutName, [authority: string, username: string]>(
  1,
  ({ authority, username }) => [authority, username],
  ([authority, username]) => ({ authority, username }),
);

const times = new Subspace(
  keyspace.lockoutTimes,
  fieldsLayout<DueLockout, [kind: number, atMs: number, authority: string, username: string]>(
    1,
    ({ kind, atMs, name }) => [kind, atMs, name.authority, name.username],
    ([kind, atMs, authority, username]) => ({ kind, atMs, name: { authority, username } }),
  ),
);

const locked = new Subspace(keyspace.lockedNames, nameLayout);

const unknown = new Subspace(
  keyspace.unknownNames,
  fieldsLayout<number, [count: number]>(
    1,
    (count) => [count],
    ([count]) => count,
  ),
);

/** The subspaces of lockouts, by their names in the key space. */
export const lockoutSubspaces = {
  lockouts: records,
  lockoutTimes: times,
  lockedNames: locked,
  unknownNames: unknown,
};

/** What can be due. Unknown names are forgotten in the order in which too many of them go. */
const END = 0;
const FORGET_UNKNOWN = 1;
const FORGET_KNOWN = 2;
const KINDS = [END, FORGET_UNKNOWN, FORGET_KNOWN];

/** More than a write adds, so that an excess goes in time; few, so that each stays quick. */
const REMOVALS_MAX = 4;

/** What is stored of a name, as it was when it was written. */
export function findLockout(tx: ReadTx, name: LockoutName): StoredLockout | undefined {
  return records.get(tx, name.authority, name.username);
}

/**
 * Stores what is known of a name now, or nothing any more; `before` is what is stored so far, and
 * what stays the same is not written. Of too
 * many names without an account, those go that are not locked and changed longest ago; locked ones
 * never do.
 */
export function saveLockout(
  tx: WriteTx,
  name: LockoutName,
  change: { readonly before: StoredLockout | undefined; readonly after: StoredLockout | undefined },
  unknownMax = LOCKOUT_UNKNOWN_NAMES_MAX,
): void {
  const { before, after } = change;
  if (isSame(before, after)) return;
  saveRecord(tx, name, before, after);
  const added = Number(after?.isKnown === false) - Number(before?.isKnown === false);
  if (added === 0) return;
  const count = countUnknown(tx) + added;
  const removed = added < 0 ? 0 : removeOldestUnknown(tx, count - unknownMax);
  unknown.put(tx, count - removed, INSTALLATION);
}

/** How many names without an account are stored. */
export function countUnknown(tx: ReadTx): number {
  return unknown.get(tx, INSTALLATION) ?? 0;
}

/** Names that were locked when they were last written, in the order of their bytes. */
export function listLocked(
  tx: ReadTx,
  authority: string,
  page: { readonly after: string | undefined; readonly limit: number },
): LockoutName[] {
  const start = page.after === undefined ? {} : { after: [page.after] as [string] };
  const span = { prefix: [] as [], limit: page.limit, ...start };
  return [...locked.rows(tx, authority, span)].map(({ value }) => value);
}

/** Names that something is due for at a time, at most so many, earliest first of each kind. */
export function listDue(tx: ReadTx, nowMs: number, limit: number): DueLockout[] {
  const due: DueLockout[] = [];
  for (const kind of KINDS) {
    const before: [number, number] = [kind, keyTime(nowMs) + 1];
    const span = { prefix: [kind] as [number], before, limit: limit - due.length };
    for (const { value } of times.rows(tx, INSTALLATION, span)) due.push(value);
  }
  return due;
}

/** Replaces a record and what finds it; leaves alone what does not change. */
function saveRecord(
  tx: WriteTx,
  name: LockoutName,
  before: StoredLockout | undefined,
  after: StoredLockout | undefined,
): void {
  const { authority, username } = name;
  const dueBefore = before === undefined ? undefined : dueOf(name, before);
  const dueAfter = after === undefined ? undefined : dueOf(name, after);
  if (dueBefore?.kind !== dueAfter?.kind || dueBefore?.atMs !== dueAfter?.atMs) {
    if (dueBefore !== undefined) tx.remove(dueKey(dueBefore));
    if (dueAfter !== undefined) times.put(tx, dueAfter, INSTALLATION, ...dueParts(dueAfter));
  }
  const wasLocked = (before?.lock ?? null) !== null;
  const isLocked = (after?.lock ?? null) !== null;
  if (isLocked && !wasLocked) locked.put(tx, name, authority, username);
  if (wasLocked && !isLocked) tx.remove(locked.keyOf(authority, username));
  if (after === undefined) tx.remove(records.keyOf(authority, username));
  else records.put(tx, after, authority, username);
}

/** Removes so many, or a few of them; says how many it removed. */
function removeOldestUnknown(tx: WriteTx, excess: number): number {
  if (excess <= 0) return 0;
  const limit = Math.min(excess, REMOVALS_MAX);
  const oldest = [...times.rows(tx, INSTALLATION, { prefix: [FORGET_UNKNOWN], limit })];
  for (const { value } of oldest) {
    const record = findLockout(tx, value.name);
    if (record === undefined) throw new AgentkeepError('storage_inconsistency');
    saveRecord(tx, value.name, record, undefined);
  }
  return oldest.length;
}

function isSame(one: StoredLockout | undefined, other: StoredLockout | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other));
}

function dueOf(name: LockoutName, lockout: StoredLockout): DueLockout | undefined {
  const due = lockoutDue(lockout);
  if (due === null) return undefined;
  const forget = lockout.isKnown ? FORGET_KNOWN : FORGET_UNKNOWN;
  return { kind: due.what === 'end' ? END : forget, atMs: keyTime(due.atMs), name };
}

function dueParts({ kind, atMs, name }: DueLockout): [number, number, string, string] {
  return [kind, atMs, name.authority, name.username];
}

function dueKey(due: DueLockout): Uint8Array {
  return times.keyOf(INSTALLATION, ...dueParts(due));
}

/** Keys hold no negative numbers, and a clock may show any time. */
function keyTime(ms: number): number {
  return Math.max(Math.trunc(ms), 0);
}
