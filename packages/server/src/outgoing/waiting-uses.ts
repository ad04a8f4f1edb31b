/** The requests that wait for a slot. Callers that have the fewest slots are served first. */
import type { GiveBack, SlotUse } from './slot-use.js';

/** Most waiters of one client. */
const WAITING_MAX = 512;

/** A request that waits. */
export interface Waiter {
  readonly use: SlotUse;
  /** Ends the wait, with a slot or without one. It is called once. */
  readonly end: (slot: GiveBack | undefined) => void;
}

/** The waiters, in order of arrival. */
export class WaitingUses {
  readonly #waiters = new Set<Waiter>();

  /** Adds a waiter. If there are too many, the last one of those who have the most ends. */
  add(waiter: Waiter): void {
    this.#waiters.add(waiter);
    if (this.#waiters.size > WAITING_MAX) this.#lastOfMost()?.end(undefined);
  }

  /** Removes a waiter. */
  delete(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /**
   * Returns the waiter to serve: of those that may have a slot, the one whose tenant, and then
   * whose asker, has the fewest; then the first.
   */
  next(
    mayHave: (use: SlotUse) => boolean,
    has: (use: SlotUse) => readonly [number, number],
  ): Waiter | undefined {
    let found: { readonly waiter: Waiter; readonly rank: readonly [number, number] } | undefined;
    for (const waiter of this.#waiters) {
      if (!mayHave(waiter.use)) continue;
      const rank = has(waiter.use);
      if (found === undefined || isFewer(rank, found.rank)) found = { waiter, rank };
    }
    return found?.waiter;
  }

  #lastOfMost(): Waiter | undefined {
    const counts = new Map<string, number>();
    const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const { use } of this.#waiters) {
      add(tenantOf(use));
      add(askerOf(use));
    }
    const rankOf = ({ use }: Waiter): readonly [number, number] => [
      counts.get(tenantOf(use)) ?? 0,
      counts.get(askerOf(use)) ?? 0,
    ];
    const [first, ...others] = this.#waiters;
    return others.reduce(
      (most, each) => (most !== undefined && isFewer(rankOf(each), rankOf(most)) ? most : each),
      first,
    );
  }
}

function isFewer([tenant, asker]: readonly [number, number], other: readonly [number, number]) {
  return tenant === other[0] ? asker < other[1] : tenant < other[0];
}

function tenantOf({ tenantId }: SlotUse): string {
  return `t${tenantId}`;
}

function askerOf({ tenantId, asker = '' }: SlotUse): string {
  return `a${tenantId}\0${asker}`;
}
