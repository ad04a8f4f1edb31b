/** Bounds the sockets and queries to hosts that tenants choose: in all, by tenant and by host. */
import { mayTakePlace } from '@agentkeep/core/operator';

/** A request takes one place from its start to its end. */
const PLACES = { inAll: 256, byTenant: 16 };
/** Places for requests to one host, whichever tenants make them. */
const PLACES_OF_HOST = { inAll: 32, byTenant: 4 };

/** Who wants a place, and for what. */
export interface PlaceUse {
  readonly tenantId: string;
  /** The host as it stands in the URL. */
  readonly host: string;
}

/** The places of one client. */
export class OutgoingPlaces {
  readonly #taken = new Map<string, number>();

  /** Takes a place and returns how to give it back; `undefined` where there is none. */
  take({ tenantId, host }: PlaceUse): (() => void) | undefined {
    const groups = {
      all: '',
      tenant: `t${tenantId}`,
      host: `h${host}`,
      both: `b${host}\0${tenantId}`,
    };
    const has = (group: keyof typeof groups): number => this.#taken.get(groups[group]) ?? 0;
    const taken = { inAll: has('all'), byTenant: has('tenant') };
    const atHost = { inAll: has('host'), byTenant: has('both') };
    if (!mayTakePlace(PLACES, taken) || !mayTakePlace(PLACES_OF_HOST, atHost)) return undefined;
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
