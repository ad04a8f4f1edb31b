/**
 * Restores the order of the chains for the audit files. A store may answer commits in a different
 * order than it made them, for example when an answer was lost and had to be requested again.
 */
import { clearImmediate, setImmediate } from 'node:timers';
import type { RecordedEvent } from './append-events.js';

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
export class CommitOrder {
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
