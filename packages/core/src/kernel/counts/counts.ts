/** Numbers of entries by kind. */
import type { Clock } from '../ports/clock.js';
import { type Counter, type CountName, countsSessions, isEnded } from './count-name.js';

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
