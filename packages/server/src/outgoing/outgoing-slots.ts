/** Bounds the sockets and queries to hosts that tenants choose: in all, by tenant and by host. */
import { mayTakeSlot } from '@agentkeep/core/operator';

/** A request takes one slot from its start to its end. */
const PLACES = { inAll: 256, byTenant: 16 };
/** Slots for requests to one host, for all tenants together. */
const PLACES_OF_HOST = { inAll: 32, byTenant: 4 };

/** The tenant that wants a slot, and the host that it calls. */
export interface SlotUse {
  readonly tenantId: string;
  /** The host as spelled in the URL. */
  readonly host: string;
}

/** The slots of one client. */
export class OutgoingSlots {
  readonly #taken = new Map<string, number>();

  /** Takes a slot and returns a function that releases it; `undefined` if none is free. */
  take({ tenantId, host }: SlotUse): (() => void) | undefined {
    const groups = {
      all: '',
      tenant: `t${tenantId}`,
      host: `h${host}`,
      both: `b${host}\0${tenantId}`,
    };
    const has = (group: keyof typeof groups): number => this.#taken.get(groups[group]) ?? 0;
    const taken = { inAll: has('all'), byTenant: has('tenant') };
    const atHost = { inAll: has('host'), byTenant: has('both') };
    if (!mayTakeSlot(PLACES, taken) || !mayTakeSlot(PLACES_OF_HOST, atHost)) return undefined;
    for (const group of Object.values(groups)) this.#change(group, 1);
    return () => {
      for (const group of Object.values(groups)) this.#change(group, -1);
    };
  }

  #change(group: string, by: 1 | -1): void {
    const count = (this.#taken.get(group) ?? 0) + by;
    if (count === 0) this.#taken.delete(group);
    else this.#taken.set(group, count);
  }
}
