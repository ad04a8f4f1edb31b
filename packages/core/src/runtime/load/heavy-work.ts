/**
 * Heavy calls: those that scan or answer with a page. A bounded number is in flight for each
 * principal, each tenant and in all, and so are the bytes of their answers. Other calls never wait
 * for them.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import {
  HEAVY_CALLS_MAX,
  HEAVY_SENDING_BYTES_MAX,
  HEAVY_WORKING_MAX,
} from '../../contract/limits.js';
import { FairQueue, type Party } from './fair-queue.js';
import {
  type BoundedLoad,
  type Load,
  type LoadBounds,
  mayEnter,
  maySend,
  mayWork,
} from './load-policy.js';
import { Turns } from './turns.js';

/** The bounds of each principal, of each tenant and of all callers. */
export type HeavyBounds = Readonly<Record<'principal' | 'tenant' | 'all', LoadBounds>>;

/** The bounds of a keep (docs/contract/load.md#loa-2). */
const defaultHeavyBounds: HeavyBounds = {
  principal: boundsOf('principal'),
  tenant: boundsOf('tenant'),
  all: boundsOf('all'),
};

/** A heavy call in flight. */
export interface HeavyCall {
  /** Resolves when the call may do its next slice of work. */
  turn(): Promise<void>;
  /** The answer is complete and only its reader can delay it. Lets another call work. */
  sending(bytes: number): void;
  /** The answer has been sent, or its reader has gone. Safe to call repeatedly. */
  end(): void;
}

/** A call that waits until it may work. */
interface WaitingCall {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Admits heavy calls and shares the time of the process among them. */
export class HeavyWork {
  readonly #bounds: HeavyBounds;
  readonly #turns = new Turns();
  readonly #waiting = new FairQueue<WaitingCall>();
  readonly #all = newLoad();
  readonly #tenants = new Map<string, Load>();
  readonly #principals = new Map<string, Load>();

  constructor(bounds: HeavyBounds = defaultHeavyBounds) {
    this.#bounds = bounds;
  }

  /** Heavy calls that wait for a place or a turn. */
  get waiting(): number {
    return this.#waiting.size + this.#turns.waiting;
  }

  /**
   * Resolves when a heavy call of this party may begin.
   *
   * @throws {AgentkeepError} `service_busy` when a bound is reached; nothing was done then.
   */
  async enter(party: Party): Promise<HeavyCall> {
    const groups = this.#groupsOf(party);
    if (!mayEnter(groups) || !maySend(groups)) throw new AgentkeepError('service_busy');
    const loads = this.#loadsOf(party);
    change(loads, 'calls', 1);
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(party, {
        start: () => {
          change(loads, 'working', 1);
          resolve();
        },
        refuse: () => {
          this.#leave(party, loads);
          reject(new AgentkeepError('service_busy'));
        },
      });
      this.#startWaiting();
    });
    return this.#callOf(party, loads);
  }

  #callOf(party: Party, loads: readonly Load[]): HeavyCall {
    let state: 'working' | 'sending' | 'ended' = 'working';
    let sentBytes = 0;
    return {
      turn: () => this.#turns.next(party),
      sending: (bytes) => {
        if (state !== 'working') return;
        state = 'sending';
        sentBytes = bytes;
        change(loads, 'working', -1);
        change(loads, 'sendingBytes', bytes);
        this.#refuseWaiting();
        this.#startWaiting();
      },
      end: () => {
        if (state === 'ended') return;
        if (state === 'working') change(loads, 'working', -1);
        else change(loads, 'sendingBytes', -sentBytes);
        state = 'ended';
        this.#leave(party, loads);
      },
    };
  }

  /** Refuses the waiting calls of parties that have too much unread. */
  #refuseWaiting(): void {
    const next = () => this.#waiting.next((party) => !maySend(this.#groupsOf(party)));
    for (let call = next(); call !== undefined; call = next()) call.refuse();
  }

  /** Starts the waiting calls for which there is room. */
  #startWaiting(): void {
    const next = () => this.#waiting.next((party) => mayWork(this.#groupsOf(party)));
    for (let call = next(); call !== undefined; call = next()) call.start();
  }

  #leave({ tenant, principal }: Party, loads: readonly Load[]): void {
    change(loads, 'calls', -1);
    if (this.#tenants.get(tenant)?.calls === 0) this.#tenants.delete(tenant);
    const name = principalName({ tenant, principal });
    if (this.#principals.get(name)?.calls === 0) this.#principals.delete(name);
    this.#startWaiting();
  }

  #loadsOf(party: Party): Load[] {
    const principal = loadOf(this.#principals, principalName(party));
    return [principal, loadOf(this.#tenants, party.tenant), this.#all];
  }

  #groupsOf(party: Party): BoundedLoad[] {
    const { principal, tenant, all } = this.#bounds;
    const ofPrincipal = this.#principals.get(principalName(party)) ?? nothing;
    const ofTenant = this.#tenants.get(party.tenant) ?? nothing;
    return [
      { load: ofPrincipal, bounds: principal },
      { load: ofTenant, bounds: tenant },
      { load: this.#all, bounds: all },
    ];
  }
}

const nothing: Readonly<Load> = newLoad();

function newLoad(): Load {
  return { calls: 0, working: 0, sendingBytes: 0 };
}

function loadOf(loads: Map<string, Load>, name: string): Load {
  const found = loads.get(name) ?? newLoad();
  loads.set(name, found);
  return found;
}

function change(loads: readonly Load[], measure: keyof Load, by: number): void {
  for (const load of loads) load[measure] += by;
}

/** A tenant has no zero byte in its name, so two principals never share a name. */
function principalName({ tenant, principal }: Party): string {
  return `${tenant}\0${principal}`;
}

function boundsOf(group: keyof HeavyBounds): LoadBounds {
  return {
    calls: HEAVY_CALLS_MAX[group],
    working: HEAVY_WORKING_MAX[group],
    sendingBytes: HEAVY_SENDING_BYTES_MAX[group],
  };
}
