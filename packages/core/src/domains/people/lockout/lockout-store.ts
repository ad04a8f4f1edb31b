/**
 * Lockouts in the store: a record for each name, and indexes of locked names and of due times.
 * The number of names is bounded, by one rule for names with and without an account: otherwise a
 * flood of names would show which of them exist.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { LOCKOUT_NAMES_MAX } from '../../../contract/limits.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  fieldsLayout,
  json,
  jsonLayout,
  number,
  spread,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { type Lockout, lockoutDue } from './lockout-policy.js';

const nameFields = {
  /** Tenant id, or `INSTALLATION`. */
  authority: text,
  username: text,
};

/** The names of keys cannot be read back from them, so entries repeat them. */
const nameLayout = fieldsLayout(1, nameFields);

/** A username in its authority. */
export type LockoutName = ValueOf<typeof nameLayout>;

/** The stored record of a name. */
export interface StoredLockout extends Lockout {
  /** Whether there was an account with the name when the record was last written. */
  readonly isKnown: boolean;
}

const recordLayout = fieldsLayout<StoredLockout>(1, {
  failedAttempts: json(),
  firstFailureMs: json(),
  lastChangeMs: json(),
  lockoutCount: json(),
  lock: json(),
  isKnown: json(),
});

const dueLayout = fieldsLayout(1, { kind: number, atMs: number, name: spread(nameFields) });

/** A time at which something is due for a name. */
export type DueLockout = ValueOf<typeof dueLayout>;

/** Failed logins and locks by username, including names without an account. */
export const lockouts = defineFamily({
  name: 'lockouts',
  number: 25,
  key: ['text'],
  layout: recordLayout,
  sealedBy: 'tenant',
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
});

/** Installation: due times of lockouts: kind, Unix milliseconds, tenant, username. */
export const lockoutTimes = defineFamily({
  name: 'lockoutTimes',
  number: 26,
  key: ['integer', 'integer', 'text', 'text'],
  layout: dueLayout,
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'derived',
  counts: null,
  derived: indexOf(lockouts),
});

/** Locked names, by username. */
export const lockedNames = defineFamily({
  name: 'lockedNames',
  number: 27,
  key: ['text'],
  layout: nameLayout,
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'derived',
  counts: null,
  derived: indexOf(lockouts),
});

/** Installation: number of stored names without an account. */
export const unknownNames = defineFamily({
  name: 'unknownNames',
  number: 28,
  key: [],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: indexOf(lockouts),
});

/**
 * Kinds of due times: the end of a lock, and the removal of a record. Names without an account have
 * a kind of their own, for compatibility with stored data.
 */
const END = 0;
const FORGET_UNKNOWN = 1;
const FORGET_KNOWN = 2;
const KINDS = [END, FORGET_UNKNOWN, FORGET_KNOWN];

/** More than a write adds, so that an excess shrinks; few, so that each write stays quick. */
const REMOVALS_MAX = 4;

/** Returns the stored record of a name, or `undefined`. */
export function findLockout(tx: ReadTx, name: LockoutName): StoredLockout | undefined {
  return lockouts.get(tx, name.authority, name.username);
}

/**
 * Replaces the record `before` of a name by `after`, or removes it. Writes nothing if they are the
 * same. When there are too many names, removes the unlocked ones that changed longest ago, with or
 * without an account.
 */
export function saveLockout(
  tx: WriteTx,
  name: LockoutName,
  change: { readonly before: StoredLockout | undefined; readonly after: StoredLockout | undefined },
  namesMax = LOCKOUT_NAMES_MAX,
): void {
  const { before, after } = change;
  if (isSame(before, after)) return;
  saveRecord(tx, name, before, after);
  const added = Number(after !== undefined) - Number(before !== undefined);
  if (added === 0) return;
  const count = Math.max(0, countNames(tx) + added);
  const removed = added < 0 ? 0 : removeOldest(tx, count - namesMax);
  unknownNames.put(tx, count - removed, INSTALLATION);
}

/** Returns how many names are stored. */
export function countNames(tx: ReadTx): number {
  return unknownNames.get(tx, INSTALLATION) ?? 0;
}

/** Returns names that were locked when last written, in byte order. */
export function listLocked(
  tx: ReadTx,
  authority: string,
  page: { readonly after: string | undefined; readonly limit: number },
): LockoutName[] {
  const { after, limit } = page;
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return lockedNames.values(tx, authority, { prefix: [], after: start, limit });
}

/** Returns at most `limit` due times up to a time, earliest first within each kind. */
export function listDue(tx: ReadTx, nowMs: number, limit: number): DueLockout[] {
  const due: DueLockout[] = [];
  for (const kind of KINDS) {
    const before: [number, number] = [kind, keyTime(nowMs) + 1];
    const span = { prefix: [kind] as [number], before, limit: limit - due.length };
    due.push(...lockoutTimes.values(tx, INSTALLATION, span));
  }
  return due;
}

/** Replaces a record and its entries in the indexes. */
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
    if (dueAfter !== undefined) lockoutTimes.put(tx, dueAfter, INSTALLATION, ...dueParts(dueAfter));
  }
  const wasLocked = (before?.lock ?? null) !== null;
  const isLocked = (after?.lock ?? null) !== null;
  if (isLocked && !wasLocked) lockedNames.put(tx, name, authority, username);
  if (wasLocked && !isLocked) tx.remove(lockedNames.keyOf(authority, username));
  if (after === undefined) tx.remove(lockouts.keyOf(authority, username));
  else lockouts.put(tx, after, authority, username);
}

/** Removes up to `excess` names that are not locked, a few at a time. Returns how many. */
function removeOldest(tx: WriteTx, excess: number): number {
  if (excess <= 0) return 0;
  const limit = Math.min(excess, REMOVALS_MAX);
  const oldest = [FORGET_UNKNOWN, FORGET_KNOWN]
    .flatMap((kind) => lockoutTimes.values(tx, INSTALLATION, { prefix: [kind], limit }))
    .sort((one, other) => Buffer.compare(orderOf(one), orderOf(other)))
    .slice(0, limit);
  allOrFirstFailure(oldest, ({ name }) => {
    const record = findLockout(tx, name);
    if (record === undefined) throw new AgentkeepError('storage_inconsistency');
    saveRecord(tx, name, record, undefined);
  });
  return oldest.length;
}

/** Returns the sort key of a due time of any kind. */
function orderOf(due: DueLockout): Uint8Array {
  return dueKey({ ...due, kind: END });
}

function isSame(one: StoredLockout | undefined, other: StoredLockout | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return recordLayout.encode(one, 0, 0).equals(recordLayout.encode(other, 0, 0));
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
  return lockoutTimes.keyOf(INSTALLATION, ...dueParts(due));
}

/** Keys hold no negative numbers; a clock may show any time. */
function keyTime(ms: number): number {
  return Math.max(Math.trunc(ms), 0);
}
