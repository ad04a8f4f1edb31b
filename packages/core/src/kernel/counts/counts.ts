/**
 * What bodies of transactions note about how much they store: counts of entries, and the requests
 * to fail above a storage quota (docs/contract/quotas.md#quo-8) or to leave out what can be.
 */
import type { Families } from '../../storage/families/families.js';
import type { CountEntry } from '../../storage/store/family.js';
import type { Participant } from '../../storage/store/participant.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import { Port } from '../ports/port.js';

/** The kinds of entries that are counted as long as they are stored. */
export const counters = [
  'tenants',
  'credentials',
  'accounts',
  'memory_records',
  'receipts',
  'audit_events',
] as const;

/** A kind of entry that is counted as long as it is stored. */
export type Counter = (typeof counters)[number];

/** Sessions that end with a second, given in Unix seconds. */
type SessionCounter = `sessions@${number}`;

/** The name of one number. */
export type CountName = Counter | SessionCounter;

const SESSIONS = 'sessions@';

/**
 * Returns the name under which a session is counted. Its end is rounded up to a second, so that
 * there are never more names than seconds in the life of a session.
 */
export function sessionCounter(endsAtMillis: number): SessionCounter {
  return `sessions@${Math.ceil(endsAtMillis / 1_000)}`;
}

/** Returns whether a name counts sessions. */
export function countsSessions(name: CountName): name is SessionCounter {
  return name.startsWith(SESSIONS);
}

/** Returns whether the entries under a name have expired. */
export function isEnded(name: CountName, nowMs: number): boolean {
  return countsSessions(name) && 1_000 * Number(name.slice(SESSIONS.length)) <= nowMs;
}

/** How many entries of each kind there are. */
export interface EntryCounts extends Readonly<Record<Counter, number>> {
  /** Sessions that have not ended. */
  readonly sessions: number;
}

/** Names that may have ended before they are scanned. */
const ENDED_NAMES_MAX = 1_024;

/** Numbers that are changed one at a time. */
export class Counts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #numbers = new Map<CountName, number>();
  #lookThroughAt = ENDED_NAMES_MAX;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Adds to a number. */
  add(name: CountName, by: number): void {
    this.#numbers.set(name, (this.#numbers.get(name) ?? 0) + by);
    if (this.#numbers.size <= this.#lookThroughAt) return;
    this.#dropEnded();
    this.#lookThroughAt = 2 * this.#numbers.size + ENDED_NAMES_MAX;
  }

  /** Yields every number that is not zero. */
  *numbers(): Generator<readonly [CountName, number]> {
    this.#dropEnded();
    for (const entry of this.#numbers) if (entry[1] !== 0) yield entry;
  }

  /** Returns the current numbers by kind. */
  show(): EntryCounts {
    let sessions = 0;
    for (const [name, number] of this.numbers()) if (countsSessions(name)) sessions += number;
    return {
      tenants: this.#of('tenants'),
      credentials: this.#of('credentials'),
      accounts: this.#of('accounts'),
      sessions: Math.max(0, sessions),
      memory_records: this.#of('memory_records'),
      receipts: this.#of('receipts'),
      audit_events: this.#of('audit_events'),
    };
  }

  #of(counter: Counter): number {
    return this.#numbers.get(counter) ?? 0;
  }

  /** Sessions expire without being removed, so their numbers expire too. */
  #dropEnded(): void {
    const nowMs = this.#clock.now();
    for (const name of this.#numbers.keys()) {
      if (isEnded(name, nowMs)) this.#numbers.delete(name);
    }
  }
}

/** The tally of a keep. */
export const tally = new Port<EntryTally>('tally');

/** What entries of families add to the numbers. */
export type CountingRules = Pick<Families, 'countingRule' | 'nextCounted'>;

/** Dependencies of a tally. */
export interface TallyParts {
  readonly store: Store;
  readonly families: CountingRules;
  readonly clock: Clock;
  /** Tells servers of a shared store apart, which then write to entries of their own. */
  readonly entropy?: Entropy;
  /** Entries that are counted before other work runs. */
  readonly sliceEntries?: number;
}

/** Keeps the numbers of one open store, as a participant of every change. */
export interface EntryTally extends Participant {
  /**
   * Returns the current numbers, after any unfinished count.
   *
   * @throws {AgentkeepError} `store_closed`, or the error that prevents the count.
   */
  entries(): Promise<EntryCounts>;
  /** Ends the tally, before the store is closed. */
  close(): Promise<void>;
}

/** An entry that was added or removed, or that counts for more than before. */
export class CountedChange {
  readonly name: CountName;
  readonly by: number;
  /** The key of the entry that is counted. */
  readonly key: Uint8Array;

  /** States a change of one number. */
  constructor(name: CountName, by: number, key: Uint8Array) {
    this.name = name;
    this.by = by;
    this.key = key;
  }
}

/** Notes a change. It counts once, when the transaction commits. */
export function noteChange(tx: WriteTx, name: CountName, by: number, key: Uint8Array): void {
  if (by !== 0) tx.notes.push(new CountedChange(name, by, key));
}

/** Returns the changes among the notes of a body. */
export function changesIn(notes: readonly object[]): CountedChange[] {
  return notes.filter((note) => note instanceof CountedChange);
}

/** Returns the rule that counts each entry as one of a kind. */
export function eachAs(name: Counter): CountEntry {
  const one = { name, by: 1 };
  return () => one;
}

class GrowthLimit {
  readonly isWithinQuota = true;
}

const limit = new GrowthLimit();

/** Requests that the transaction fail with `quota_exceeded` if it exceeds a quota. */
export function keepWithinQuota(tx: WriteTx): void {
  tx.notes.push(limit);
}

/** Returns whether a body with these notes must keep within quotas. */
export function isKeptWithinQuota(notes: readonly object[]): boolean {
  return notes.some((note) => note instanceof GrowthLimit);
}

class SpareEntry {
  readonly key: Uint8Array;

  constructor(key: Uint8Array) {
    this.key = key;
  }
}

/**
 * Marks a new entry of the transaction as optional: it is left out if it alone would make the
 * transaction exceed a quota.
 */
export function spareEntry(tx: WriteTx, key: Uint8Array): void {
  tx.notes.push(new SpareEntry(key));
}

/** Returns the keys of the optional entries of a body with these notes. */
export function spareKeys(notes: readonly object[]): Uint8Array[] {
  return notes.flatMap((note) => (note instanceof SpareEntry ? [note.key] : []));
}
