/**
 * The events of changes, as a participant of every transaction: those that a body noted are stored
 * with its changes, all at once, and go to the files in the order of their chains once the
 * transaction is durable.
 */
import { clearImmediate, setImmediate } from 'node:timers';
import { INSTALLATION } from '../../storage/store/key.js';
import type { EndedRun, Participant } from '../../storage/store/participant.js';
import type { WriteTx } from '../../storage/store/store.js';
import type { AuditDraft } from '../audit/audit.js';
import { appendEvents, type KeepBounds, type RecordedEvent } from './append-events.js';
import type { AuditFiles } from './audit-files.js';

/** The files, with the order in which events go to them. */
interface OrderedFiles {
  readonly files: AuditFiles;
  readonly order: CommitOrder;
}

/** Stores the events of one keep. */
export class ChangeEvents implements Participant<UnderWay | undefined, WriteTx, void> {
  readonly #bounds: KeepBounds;
  readonly #written: OrderedFiles | undefined;

  /** Without `files`, events are only stored. */
  constructor(bounds: KeepBounds, files?: AuditFiles) {
    this.#bounds = bounds;
    if (files === undefined) return;
    this.#written = { files, order: new CommitOrder((events) => files.write(events)) };
  }

  /** Events that are stored and not written to a file yet; 0 where no files are written. */
  get waitingLines(): number {
    if (this.#written === undefined) return 0;
    return this.#written.order.held + this.#written.files.waiting;
  }

  /** Opens the first file. */
  open(): void {
    this.#written?.files.open();
  }

  /** Begins a transaction. Later events of its chains wait for it. */
  begin(): UnderWay | undefined {
    return this.#written?.order.begin();
  }

  /** Appends the events that a body noted. */
  settle({ tx, notes }: EndedRun, transaction: UnderWay | undefined): void {
    const appended: RecordedEvent[] = [];
    for (const [authority, { drafts, nowMs }] of notedIn(notes)) {
      appended.push(...appendEvents(tx, authority, drafts, { nowMs, bounds: this.#bounds }));
    }
    if (transaction !== undefined) transaction.appended = appended;
  }

  /** Passes the events of a transaction on to the files. */
  committed(_: unknown, transaction: UnderWay | undefined): void {
    if (transaction !== undefined) this.#written?.order.committed(transaction);
  }

  /** Stops waiting for a transaction. */
  failed(transaction: UnderWay | undefined): void {
    if (transaction !== undefined) this.#written?.order.failed(transaction);
  }

  /** Writes the waiting events to the files, and closes them. */
  async close(): Promise<void> {
    this.#written?.order.flush();
    await this.#written?.files.close();
  }
}

/** An event that commits with the transaction. */
export class NotedEvent {
  readonly draft: AuditDraft;
  /** When it was noticed, in Unix milliseconds. */
  readonly noticedAtMillis: number;

  constructor(draft: AuditDraft, noticedAtMillis: number) {
    this.draft = draft;
    this.noticedAtMillis = noticedAtMillis;
  }
}

/** The events of one authority, in order. */
export interface NotedEvents {
  readonly drafts: AuditDraft[];
  /** When the last of them was noticed, in Unix milliseconds. */
  nowMs: number;
}

const NONE: ReadonlyMap<string, NotedEvents> = new Map();

/** Returns the noted events of each authority. */
function notedIn(notes: readonly object[]): ReadonlyMap<string, NotedEvents> {
  if (!notes.some((note) => note instanceof NotedEvent)) return NONE;
  const noted = new Map<string, NotedEvents>();
  for (const note of notes) {
    if (!(note instanceof NotedEvent)) continue;
    const { draft, noticedAtMillis } = note;
    const authority = draft.tenantId ?? INSTALLATION;
    const known = noted.get(authority);
    if (known === undefined) {
      noted.set(authority, { drafts: [draft], nowMs: noticedAtMillis });
    } else {
      known.drafts.push(draft);
      known.nowMs = Math.max(known.nowMs, noticedAtMillis);
    }
  }
  return noted;
}

/**
 * Most events that wait for an earlier one. Beyond it, all are written in the order of their
 * commits.
 */
export const HELD_EVENTS_MAX = 8_192;

/** A transaction without an answer yet. */
export interface UnderWay {
  /** The events of its last run, which may be committed already. */
  appended: readonly RecordedEvent[];
}

/** Holds events back while an earlier one of their chain may be committed but unanswered. */
class CommitOrder {
  readonly #write: (events: readonly RecordedEvent[]) => void;
  readonly #underWay = new Set<UnderWay>();
  #held: RecordedEvent[] = [];
  #release: NodeJS.Immediate | undefined;

  /** Passes events to `write`, in order. */
  constructor(write: (events: readonly RecordedEvent[]) => void) {
    this.#write = write;
  }

  /** Committed events that wait for an earlier one. */
  get held(): number {
    return this.#held.length;
  }

  /** Adds a transaction that is about to be sent. */
  begin(): UnderWay {
    const transaction = { appended: [] };
    this.#underWay.add(transaction);
    return transaction;
  }

  /** Takes the events of a transaction that is answered as committed. */
  committed(transaction: UnderWay): void {
    this.#held.push(...transaction.appended);
    this.failed(transaction);
  }

  /** Stops waiting for a transaction. */
  failed(transaction: UnderWay): void {
    this.#underWay.delete(transaction);
    // Once for all answers of a turn.
    if (this.#held.length > 0) this.#release ??= setImmediate(() => this.#releaseFree());
  }

  /** Passes on all held events. */
  flush(): void {
    clearImmediate(this.#release);
    this.#release = undefined;
    this.#hand(this.#held);
    this.#held = [];
  }

  #releaseFree(): void {
    this.#release = undefined;
    if (this.#held.length > HELD_EVENTS_MAX) {
      this.flush();
      return;
    }
    const earliest = this.#earliestUnderWay();
    const isFree = ({ authority, sequence }: RecordedEvent): boolean =>
      sequence <= (earliest.get(authority) ?? Infinity);
    const held = this.#held;
    this.#held = held.filter((event) => !isFree(event));
    this.#hand(held.filter(isFree));
  }

  /**
   * Returns the first sequence number in each chain that an unanswered transaction may have taken.
   */
  #earliestUnderWay(): Map<string, number> {
    const earliest = new Map<string, number>();
    for (const { appended } of this.#underWay) {
      for (const { authority, sequence } of appended) {
        earliest.set(authority, Math.min(sequence, earliest.get(authority) ?? Infinity));
      }
    }
    return earliest;
  }

  #hand(events: readonly RecordedEvent[]): void {
    if (events.length > 0) this.#write(inChains(events));
  }
}

/** Orders the events of each chain, without moving the chains relative to each other. */
function inChains(events: readonly RecordedEvent[]): RecordedEvent[] {
  const latestFirst = events.toSorted((a, b) => b.sequence - a.sequence);
  const chains = new Map<string, RecordedEvent[]>(events.map(({ authority }) => [authority, []]));
  for (const event of latestFirst) chains.get(event.authority)?.push(event);
  return events.map((event) => chains.get(event.authority)?.pop() ?? event);
}
