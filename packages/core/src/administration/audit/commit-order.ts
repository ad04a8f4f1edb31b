/**
 * Puts events in the order of their chains on their way to the files. A store may answer commits in
 * another order than it made them, such as when the answer of one got lost and is asked for again.
 * @module
 */
import type { RecordedEvent } from './append-events.js';

/** Events that wait for an earlier one; with more, all are written as they are. */
export const HELD_EVENTS_MAX = 8_192;

/** A transaction that was not answered yet. */
export interface UnderWay {
  /** What it appended when it last ran, which may be committed already. */
  appended: readonly RecordedEvent[];
}

/** Holds events back while an earlier one of their chain may be committed and not yet answered. */
export class CommitOrder {
  readonly #write: (events: readonly RecordedEvent[]) => void;
  readonly #underWay = new Set<UnderWay>();
  #held: RecordedEvent[] = [];
  #release: NodeJS.Immediate | undefined;

  /** Hands events over to `write`, in order. */
  constructor(write: (events: readonly RecordedEvent[]) => void) {
    this.#write = write;
  }

  /** Events that were committed and wait for an earlier one. */
  get held(): number {
    return this.#held.length;
  }

  /** Notes that a transaction is sent. */
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

  /** Waits no longer for a transaction. */
  failed(transaction: UnderWay): void {
    this.#underWay.delete(transaction);
    // Once for all that are answered in one turn.
    if (this.#held.length > 0) this.#release ??= setImmediate(() => this.#releaseFree());
  }

  /** Hands over everything that is held, whatever is under way. */
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

  /** The first place in each chain that a transaction under way may have taken. */
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

/** Each chain in its own order, at the places that its events have among the others. */
function inChains(events: readonly RecordedEvent[]): RecordedEvent[] {
  const latestFirst = events.toSorted((a, b) => b.sequence - a.sequence);
  const chains = new Map<string, RecordedEvent[]>(events.map(({ authority }) => [authority, []]));
  for (const event of latestFirst) chains.get(event.authority)?.push(event);
  return events.map((event) => chains.get(event.authority)?.pop() ?? event);
}
