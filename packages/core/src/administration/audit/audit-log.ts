/**
 * The audit log of a keep. The event of a change is stored in the transaction of the change. Other
 * events are batched and stored within half a second.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { AUDIT_WAITING_MAX } from '../../contract/limits.js';
import type { AuditDraft, AuditPort } from '../../runtime/audit/audit.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { runNoted } from '../../storage/store/transaction-view.js';
import { appendEvents, letGo, type RecordedEvent } from './append-events.js';
import type { AuditFiles } from './audit-files.js';
import type { AuditSettings } from './audit-options.js';
import { findHead, listHeads, putHead } from './audit-store.js';
import { CommitOrder } from './commit-order.js';

/** How long an event may wait in memory, in milliseconds. */
const FLUSH_AFTER_MS = 500;

/** Number of waiting events that triggers a write at once. */
const FLUSH_AT_EVENTS = 512;

/** Most events of one transaction, so that it delays others by milliseconds only. */
const TRANSACTION_EVENTS_MAX = 512;

const SWEEP_EVERY_MS = 3_600_000;
const SWEEP_HEADS = 64;
const SWEEP_REMOVALS_MAX = 16;

/** Dependencies of the audit log. */
export interface AuditLogParts {
  readonly store: Transactions;
  readonly clock: Clock;
  readonly settings: AuditSettings;
  /** Absent when no files are written. */
  readonly files: AuditFiles | undefined;
}

/** Receives the events of one keep. */
export class AuditLog implements AuditPort {
  readonly isEnabled = true;
  readonly #parts: AuditLogParts;
  readonly #waiting = new Map<string, AuditDraft[]>();
  readonly #order: CommitOrder;
  readonly #sweeper: NodeJS.Timeout;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    this.#order = new CommitOrder((events) => parts.files?.write(events));
    this.#sweeper = setInterval(() => {
      this.sweep().catch(() => undefined);
    }, SWEEP_EVERY_MS).unref();
  }

  /** Whether passed permission checks of reads are recorded. */
  get recordsReads(): boolean {
    return this.#parts.settings.reads;
  }

  /** Most events that are kept of an authority. */
  get maxEvents(): number {
    return this.#parts.settings.maxEvents;
  }

  /** Events that were noted and are not stored yet: at most {@link AUDIT_WAITING_MAX}. */
  get waitingEvents(): number {
    return this.#count;
  }

  /** Events that are stored and not written to a file yet; 0 where no files are written. */
  get waitingLines(): number {
    return this.#parts.files === undefined ? 0 : this.#order.held + this.#parts.files.waiting;
  }

  /** Returns the start of the retention period at a given time, in Unix milliseconds. */
  keptFrom(nowMs: number): number {
    return nowMs - this.#parts.settings.retentionMs;
  }

  /** Stores an event in the transaction of the change that it records. */
  changed(tx: WriteTx, draft: AuditDraft): void {
    const { tenantId, atMillis, noticedAtMillis = atMillis } = draft;
    this.#append(tx, tenantId ?? INSTALLATION, [draft], noticedAtMillis);
  }

  /** Queues an event that belongs to no change. Never throws. */
  observed(draft: AuditDraft): void {
    // A store that is stuck must not exhaust the memory of the process.
    if (this.#count >= AUDIT_WAITING_MAX) return;
    this.#wait(draft.tenantId ?? INSTALLATION, [draft]);
    this.#flushSoonWhatWaits();
  }

  /** Stores the events that wait now. Later ones are stored too, but not awaited. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0) return this.#flushing ?? Promise.resolve();
    const before = this.#flushing ?? Promise.resolve();
    const run = before.catch(() => undefined).then(() => this.#storeWaiting());
    const settled = run.finally(() => {
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
      // The store was closed first, so there is nothing left to store to.
      if (!isClosed(error)) throw error;
    } finally {
      this.#waiting.clear();
      this.#count = 0;
      this.#order.flush();
      await this.#parts.files?.close();
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

  /** Wraps the store so that events go to the files once their transaction is durable. */
  followed(store: Transactions): Transactions {
    if (this.#parts.files === undefined) return store;
    return {
      isShared: store.isShared,
      read: (body) => store.read(body),
      transact: (body) => this.#follow(store, body),
    };
  }

  async #follow<T>(store: Transactions, body: (tx: WriteTx) => T): Promise<T> {
    const transaction = this.#order.begin();
    try {
      const result = await store.transact((tx) => {
        const ran = runNoted(tx, body);
        transaction.appended = appendedIn(ran.notes);
        return ran.result;
      });
      this.#order.committed(transaction);
      return result;
    } catch (error) {
      this.#order.failed(transaction);
      throw error;
    }
  }

  #append(tx: WriteTx, authority: string, drafts: readonly AuditDraft[], nowMs: number): void {
    const events = appendEvents(tx, authority, drafts, { nowMs, bounds: this.#parts.settings });
    if (this.#parts.files !== undefined) tx.notes.push(new AppendedEvents(events));
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
      if (this.#flushing === undefined) this.flush().catch(() => undefined);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch(() => undefined);
    }, delayMs).unref();
  }

  /** Stores the oldest waiting events. They stay queued if that fails. */
  async #storeWaiting(): Promise<void> {
    for (const authority of [...this.#waiting.keys()]) {
      const drafts = this.#waiting.get(authority) ?? [];
      this.#waiting.delete(authority);
      for (let from = 0; from < drafts.length; from += TRANSACTION_EVENTS_MAX) {
        const some = drafts.slice(from, from + TRANSACTION_EVENTS_MAX);
        try {
          await this.#store(authority, some);
        } catch (error) {
          this.#keepWaiting(authority, drafts.slice(from), error);
          throw error;
        }
        this.#count -= some.length;
      }
    }
  }

  #store(authority: string, drafts: readonly AuditDraft[]): Promise<void> {
    const { store, clock } = this.#parts;
    const nowMs = clock.now();
    return this.followed(store).transact((tx) => {
      this.#append(tx, authority, drafts, nowMs);
    });
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
    const next = letGo(tx, head, { nowMs, bounds, removalsMax: SWEEP_REMOVALS_MAX });
    if (next.oldestEnd !== head.oldestEnd || next.first !== head.first) putHead(tx, next, head);
    return next.oldestEnd;
  }
}

/** A note that events were appended; files get them once they are committed. */
class AppendedEvents {
  readonly events: readonly RecordedEvent[];

  constructor(events: readonly RecordedEvent[]) {
    this.events = events;
  }
}

function appendedIn(notes: readonly object[]): RecordedEvent[] {
  return notes.flatMap((note) => (note instanceof AppendedEvents ? note.events : []));
}

function isClosed(error: unknown): boolean {
  return error instanceof AgentkeepError && error.code === 'store_closed';
}
