/** Bounds the sockets and queries to hosts that tenants choose: in all, by tenant and by host. */
import { clearTimeout, setTimeout } from 'node:timers';
import { mayTakeSlot } from '@agentkeep/core/operator';
import type { GiveBack, SlotUse } from './slot-use.js';
import { WaitingUses } from './waiting-uses.js';

/** A request takes one slot from its start to its end. */
const PLACES = { inAll: 256, byTenant: 16 };
/** Slots for requests to one host, for all tenants together. */
const PLACES_OF_HOST = { inAll: 32, byTenant: 4 };
/** Slots of one asker. */
const PLACES_OF_ASKER = 4;

/** The slots of one client. */
export class OutgoingSlots {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new WaitingUses();

  /** Takes a slot and returns a function that releases it; `undefined` if none is free. */
  take(use: SlotUse): GiveBack | undefined {
    if (!this.#isFree(use)) return undefined;
    for (const group of Object.values(groupsOf(use))) this.#change(group, 1);
    return () => {
      for (const group of Object.values(groupsOf(use))) this.#change(group, -1);
      this.#serve();
    };
  }

  /**
   * Takes a slot as soon as one is free, in turns: callers that have the fewest come first.
   * Resolves to `undefined` after `waitMs`, or when too many wait and this caller has the most
   * among them.
   */
  async takeInTurn(use: SlotUse, waitMs: number): Promise<GiveBack | undefined> {
    const taken = this.take(use);
    if (taken !== undefined || waitMs <= 0) return taken;
    return new Promise((resolve) => {
      const end = (slot: GiveBack | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(slot);
      };
      const waiter = { use, end };
      const timer = setTimeout(end, waitMs, undefined);
      this.#waiting.add(waiter);
    });
  }

  /** Gives free slots to those who wait. */
  #serve(): void {
    for (;;) {
      const next = this.#waiting.next(
        (use) => this.#isFree(use),
        (use) => [this.#count(groupsOf(use).tenant), this.#count(askerOf(use))],
      );
      if (next === undefined) return;
      next.end(this.take(next.use));
    }
  }

  #isFree(use: SlotUse): boolean {
    const { all, tenant, host, both } = groupsOf(use);
    const taken = { inAll: this.#count(all), byTenant: this.#count(tenant) };
    const atHost = { inAll: this.#count(host), byTenant: this.#count(both) };
    if (use.asker !== undefined && this.#count(askerOf(use)) >= PLACES_OF_ASKER) return false;
    return mayTakeSlot(PLACES, taken) && mayTakeSlot(PLACES_OF_HOST, atHost);
  }

  #count(group: string): number {
    return this.#taken.get(group) ?? 0;
  }

  #change(group: string, by: 1 | -1): void {
    const count = this.#count(group) + by;
    if (count === 0) this.#taken.delete(group);
    else this.#taken.set(group, count);
  }
}

/** The groups that a slot counts in. */
function groupsOf(use: SlotUse) {
  const { tenantId, host } = use;
  return {
    all: '',
    tenant: `t${tenantId}`,
    host: `h${host}`,
    both: `b${host}\0${tenantId}`,
    asker: askerOf(use),
  };
}

function askerOf({ tenantId, asker }: SlotUse): string {
  return asker === undefined ? `n${tenantId}` : `a${tenantId}\0${asker}`;
}
