/**
 * The audit log of a keep. The event of a change is stored in the transaction of the change. Other
 * events are batched and stored within half a second; repeats of refusals and routine reads are
 * counted and stored when their minute ends.
 */
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import { AUDIT_WAITING_MAX } from '../../contract/limits.js';
import type { AuditDraft, AuditPort } from '../audit/audit.js';
import type { Clock } from '../ports/clock.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { removeExpired } from './append-events.js';
import type { AuditSettings } from './audit-options.js';
import { findHead, hasBlockOf, listHeads, putHead } from './audit-store.js';
import { type ChangeEvents, NotedEvent } from './change-events.js';
import type { AuditHead } from './head-layout.js';
import { auditQuotas, quotaOf } from './quota-policy.js';
import { Repeats } from './repeats.js';

/** How long an event may wait in memory, in milliseconds. */
const FLUSH_AFTER_MS = 500;

/** Number of waiting events that triggers a write at once. */
const FLUSH_AT_EVENTS = 512;

/** Most events of one transaction, so that it delays others by milliseconds only. */
const TRANSACTION_EVENTS_MAX = 512;

const MINUTE_MS = 60_000;

const SWEEP_EVERY_MS = 3_600_000;
const SWEEP_HEADS = 64;
const SWEEP_REMOVALS_MAX = 16;

/** Dependencies of the audit log. */
export interface AuditLogParts {
  readonly store: Transactions;
  readonly clock: Clock;
  readonly settings: AuditSettings;
  /** Takes part in every change of the store. */
  readonly changes: ChangeEvents;
}

/** Events of a commit that failed, which may be stored: a connection can break in a commit. */
interface TriedEvents {
  readonly count: number;
  readonly firstId: string;
  /** Sequence number from which on they are, if they are stored. */
  readonly from: number;
}

/** Receives the events of one keep. */
export class AuditLog implements AuditPort {
  readonly isEnabled = true;
  readonly #parts: AuditLogParts;
  readonly #waiting = new Map<string, AuditDraft[]>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #repeats = new Repeats();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #minuteEnd: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  /** What is being stored, by authority: none waits for the events of another. */
  readonly #storing = new Map<string, Promise<void>>();
  readonly #tried = new Map<string, TriedEvents>();

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    parts.changes.open();
    this.#sweeper = setInterval(() => {
      this.sweep().catch(() => undefined);
    }, SWEEP_EVERY_MS).unref();
  }

  /** Whether passed permission checks of reads are recorded. */
  get recordsReads(): boolean {
    return this.#parts.settings.reads;
  }

  /** Most events that are kept of an authority in each quota. */
  get maxEvents(): number {
    return this.#parts.settings.maxEvents;
  }

  /** Events that were noted and are not stored yet: at most {@link AUDIT_WAITING_MAX}. */
  get waitingEvents(): number {
    return this.#count;
  }

  /** Events that are stored and not written to a file yet; 0 where no files are written. */
  get waitingLines(): number {
    return this.#parts.changes.waitingLines;
  }

  /** Returns the start of the retention period at a given time, in Unix milliseconds. */
  keptFrom(nowMs: number): number {
    return nowMs - this.#parts.settings.retentionMs;
  }

  /** Notes an event of a change. It is stored at the end of the body. */
  changed(tx: WriteTx, draft: AuditDraft): void {
    const { atMillis, noticedAtMillis = atMillis } = draft;
    tx.notes.push(new NotedEvent(draft, noticedAtMillis));
  }

  /** Queues an event that belongs to no change, or counts it as a repeat. Never throws. */
  observed(draft: AuditDraft): void {
    if (quotaOf(draft) !== 'calls') {
      this.#queue([draft]);
      return;
    }
    this.#queue(this.#repeats.note(draft, this.#parts.clock.now()));
    if (this.#repeats.hasCounts) this.#settleAtMinuteEnd();
  }

  /**
   * Stores the waiting events and the counts of repeats so far, of one authority or of all. Does
   * not wait for later events.
   */
  flush(authority?: string): Promise<void> {
    clearTimeout(this.#minuteEnd);
    this.#minuteEnd = undefined;
    this.#queue(this.#repeats.settle());
    return authority === undefined ? this.#flushWaiting() : this.#storeOf(authority);
  }

  /**
   * Stores the waiting events and ends the log.
   * @throws {AgentkeepError} The waiting events can't be stored.
   */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    try {
      do await this.flush();
      while (this.#count > 0);
    } catch (error) {
      // The store was closed first, so nothing more can be stored.
      if (!isClosed(error)) throw error;
    } finally {
      clearTimeout(this.#minuteEnd);
      this.#waiting.clear();
      this.#count = 0;
      await this.#parts.changes.close();
    }
  }

  /** Removes expired events from chains that get no new ones. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#parts;
    let after: string | undefined;
    for (;;) {
      const heads = await store.read((tx) => listHeads(tx, after, SWEEP_HEADS));
      for (const { authority } of heads) {
        let first: number;
        let last = -1;
        do {
          first = last;
          const nowMs = clock.now();
          last = await store.transact((tx) => this.#sweepOne(tx, authority, nowMs));
        } while (last !== first);
      }
      after = heads.at(-1)?.authority;
      if (heads.length < SWEEP_HEADS) return;
    }
  }

  #flushWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0) return this.#flushing ?? Promise.resolve();
    const authorities = new Set([...this.#storing.keys(), ...this.#waiting.keys()]);
    const runs = [...authorities].map((authority) => this.#storeOf(authority));
    // A failure is passed on once all have ended.
    const run = Promise.allSettled(runs).then(() => Promise.all(runs));
    const settled: Promise<void> = run
      .then(() => undefined)
      .finally(() => {
        if (this.#flushing === settled) this.#flushing = undefined;
      });
    this.#flushing = settled;
    // The caller of flush gets the failure. Without a caller it must not be unhandled.
    settled.then(
      () => this.#flushSoonWhatWaits(),
      () => undefined,
    );
    return settled;
  }

  /** Drops the excess: a store that is stuck must not exhaust the memory of the process. */
  #queue(drafts: readonly AuditDraft[]): void {
    for (const draft of drafts) {
      if (this.#count >= AUDIT_WAITING_MAX) break;
      this.#wait(draft.tenantId ?? INSTALLATION, [draft]);
    }
    this.#flushSoonWhatWaits();
  }

  #settleAtMinuteEnd(): void {
    this.#minuteEnd ??= setTimeout(
      () => {
        this.#minuteEnd = undefined;
        this.#queue(this.#repeats.settle());
      },
      MINUTE_MS - (this.#parts.clock.now() % MINUTE_MS),
    ).unref();
  }

  #wait(authority: string, drafts: readonly AuditDraft[]): void {
    const waiting = this.#waiting.get(authority);
    if (waiting === undefined) this.#waiting.set(authority, [...drafts]);
    else waiting.push(...drafts);
    this.#count += drafts.length;
  }

  #flushSoonWhatWaits(): void {
    if (this.#count >= FLUSH_AT_EVENTS) this.#flushSoon(0);
    else if (this.#count > 0) this.#flushSoon(FLUSH_AFTER_MS);
  }

  #flushSoon(delayMs: number): void {
    if (delayMs > 0 && this.#timer !== undefined) return;
    if (delayMs === 0) {
      // Events that arrive during a write are stored at its end.
      if (this.#flushing === undefined) this.#flushWaiting().catch(() => undefined);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#flushWaiting().catch(() => undefined);
    }, delayMs).unref();
  }

  /** Stores the waiting events of an authority, after those that are being stored. */
  #storeOf(authority: string): Promise<void> {
    const before = this.#storing.get(authority) ?? Promise.resolve();
    if (!this.#waiting.has(authority)) return before;
    const run = before.catch(() => undefined).then(() => this.#storeWaiting(authority));
    const settled = run.finally(() => {
      if (this.#storing.get(authority) === settled) this.#storing.delete(authority);
    });
    this.#storing.set(authority, settled);
    return settled;
  }

  /** Stores the oldest waiting events. They stay queued if that fails. */
  async #storeWaiting(authority: string): Promise<void> {
    const drafts = this.#waiting.get(authority) ?? [];
    this.#waiting.delete(authority);
    let size: number;
    for (let from = 0; from < drafts.length; from += size) {
      size = this.#tried.get(authority)?.count ?? TRANSACTION_EVENTS_MAX;
      const some = drafts.slice(from, from + size);
      try {
        await this.#store(authority, some);
      } catch (error) {
        this.#keepWaiting(authority, drafts.slice(from), error);
        throw error;
      }
      this.#count -= some.length;
    }
  }

  /** Stores events in one commit, unless an earlier try did. */
  async #store(authority: string, drafts: readonly AuditDraft[]): Promise<void> {
    const { store, clock } = this.#parts;
    const nowMs = clock.now();
    const tried = this.#tried.get(authority);
    let from = tried?.from ?? Infinity;
    try {
      await store.transact((tx) => {
        if (tried !== undefined && hasBlockOf(tx, authority, tried)) return;
        from = Math.min(from, findHead(tx, authority)?.next ?? 0);
        for (const draft of drafts) tx.notes.push(new NotedEvent(draft, nowMs));
      });
      this.#tried.delete(authority);
    } catch (error) {
      const [first] = drafts;
      if (first !== undefined && from < Infinity) {
        this.#tried.set(authority, { count: drafts.length, firstId: first.id, from });
      }
      throw error;
    }
  }

  #keepWaiting(authority: string, drafts: readonly AuditDraft[], error: unknown): void {
    this.#count -= drafts.length;
    if (isClosed(error)) return;
    const since = this.#waiting.get(authority) ?? [];
    this.#waiting.set(authority, []);
    this.#count -= since.length;
    this.#wait(authority, [...drafts, ...since]);
    this.#flushSoon(FLUSH_AFTER_MS);
  }

  #sweepOne(tx: WriteTx, authority: string, nowMs: number): number {
    const head = findHead(tx, authority);
    if (head === undefined) return -1;
    const bounds = this.#parts.settings;
    const limits = { nowMs, bounds, removalsMax: SWEEP_REMOVALS_MAX };
    const next = auditQuotas.reduce(
      (before, quota) => removeExpired(tx, before, quota, limits),
      head,
    );
    const reached = placeOf(next);
    if (reached !== placeOf(head)) putHead(tx, next, head);
    return reached;
  }
}

/** Returns the total of removed events over all chains. It never decreases. */
function placeOf({ chains }: AuditHead): number {
  return auditQuotas.reduce((sum, quota) => {
    const { first, oldestEnd } = chains[quota] ?? { first: 0, oldestEnd: 0 };
    return sum + first + oldestEnd;
  }, 0);
}

function isClosed(error: unknown): boolean {
  return hasCode(error, 'store_closed');
}
