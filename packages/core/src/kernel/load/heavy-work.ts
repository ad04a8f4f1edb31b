/**
 * Heavy calls: those that scan or answer with a page. A bounded number is in flight for each
 * principal, each tenant and in all; the others wait, and tenants are served in turn, as are the
 * principals of a tenant. Other calls never wait for them.
 */
import { setImmediate } from 'node:timers';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { HEAVY_CALLS_MAX, HEAVY_WORKING_MAX } from '../../contract/limits.js';
import type { Party } from './party.js';
import { UnreadAnswers } from './unread-answers.js';

/** Hands out turns to tenants in turn, then to principals in turn. */
class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #isTaken = false;

  /** Turns that callers wait for. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when the party may do one slice of work. The first to ask in a turn does not wait. */
  next(party: Party): Promise<void> {
    if (!this.#isTaken) {
      this.#take();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting.push(party, resolve);
    });
  }

  /** Blocks others until the event loop has turned. */
  #take(): void {
    this.#isTaken = true;
    setImmediate(() => {
      const next = this.#waiting.next();
      if (next === undefined) {
        this.#isTaken = false;
        return;
      }
      this.#take();
      next();
    });
  }
}

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
  /** The answer is complete. Lets another call work. Safe to call repeatedly. */
  end(): void;
}

/** A call that waits until it may work. */
interface WaitingCall {
  readonly party: Party;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** A heavy call that works. */
interface BegunCall {
  readonly tenant: string;
  readonly over: Promise<void>;
}

/** Admits heavy calls and shares the time of the process among them. */
export class HeavyWork {
  /** The unread parts of answers. A party with too many unread bytes gets no heavy call. */
  readonly unread: UnreadAnswers;
  readonly #bounds: HeavyBounds;
  readonly #turns = new Turns();
  readonly #waiting = new FairQueue<WaitingCall>();
  readonly #all = newLoad();
  readonly #tenants = new Map<string, Load>();
  readonly #principals = new Map<string, Load>();
  readonly #begun = new Set<BegunCall>();

  constructor(bounds: HeavyBounds = defaultHeavyBounds, unread = new UnreadAnswers()) {
    this.#bounds = bounds;
    this.unread = unread;
  }

  /** Heavy calls that wait for a slot or a turn. */
  get waiting(): number {
    return this.#waiting.size + this.#turns.waiting;
  }

  /** Resolves when a party may do one slice of work outside of a heavy call. */
  turn(party: Party): Promise<void> {
    return this.#turns.next(party);
  }

  /**
   * Resolves when a heavy call of this party may begin.
   *
   * @throws {AgentkeepError} `service_busy` when a bound is reached; nothing was done then.
   */
  async enter(party: Party): Promise<HeavyCall> {
    if (!mayEnter(this.#groupsOf(party)) || !this.unread.hasRoom(party)) {
      throw new AgentkeepError('service_busy');
    }
    const loads = this.#loadsOf(party);
    change(loads, 'calls', 1);
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(party, {
        party,
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

  /** Resolves when all calls of a tenant that have begun by now are over. */
  async begunOf(tenant: string): Promise<void> {
    const begun = [...this.#begun].filter((call) => call.tenant === tenant);
    await Promise.all(begun.map(({ over }) => over));
  }

  #callOf(party: Party, loads: readonly Load[]): HeavyCall {
    let isOver = false;
    let finish: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const begun = { tenant: party.tenant, over };
    this.#begun.add(begun);
    return {
      turn: () => this.#turns.next(party),
      end: () => {
        if (isOver) return;
        isOver = true;
        this.#begun.delete(begun);
        finish();
        change(loads, 'working', -1);
        this.#leave(party, loads);
        this.#startWaiting();
      },
    };
  }

  /**
   * Starts the waiting calls that fit the bounds. Calls of a party that has too many unread bytes
   * by now are refused.
   */
  #startWaiting(): void {
    const mayLeave = (party: Party): boolean =>
      mayWork(this.#groupsOf(party)) || !this.unread.hasRoom(party);
    for (;;) {
      const next = this.#waiting.next(mayLeave);
      if (next === undefined) return;
      if (this.unread.hasRoom(next.party)) next.start();
      else next.refuse();
    }
  }

  #leave({ tenant, principal }: Party, loads: readonly Load[]): void {
    change(loads, 'calls', -1);
    if (this.#tenants.get(tenant)?.calls === 0) this.#tenants.delete(tenant);
    const name = principalName({ tenant, principal });
    if (this.#principals.get(name)?.calls === 0) this.#principals.delete(name);
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
  return { calls: 0, working: 0 };
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
  };
}

/** The bounds of one group of callers. */
interface LoadBounds {
  /** Heavy calls that wait or work. */
  readonly calls: number;
  /** Heavy calls that work. */
  readonly working: number;
}

/** The calls that a group of callers has in flight; the same measures as {@link LoadBounds}. */
type Load = { -readonly [K in keyof LoadBounds]: LoadBounds[K] };

/** A group of callers with its bounds. */
interface BoundedLoad {
  readonly load: Readonly<Load>;
  readonly bounds: LoadBounds;
}

/** Returns whether one more call may be in flight. A call that may not is refused. */
function mayEnter(groups: readonly BoundedLoad[]): boolean {
  return groups.every(({ load, bounds }) => load.calls < bounds.calls);
}

/** Returns whether one more call may work. A call that may not waits. */
function mayWork(groups: readonly BoundedLoad[]): boolean {
  return groups.every(({ load, bounds }) => load.working < bounds.working);
}

/** Items of many parties. Those of one principal leave in order of arrival. */
export class FairQueue<T> {
  /** Items by tenant and principal. The order of the maps is the order of service. */
  readonly #lines = new Map<string, Map<string, T[]>>();
  #size = 0;

  /** Number of items. */
  get size(): number {
    return this.#size;
  }

  /** Adds an item at the end of the queue of its principal. */
  push({ tenant, principal }: Party, item: T): void {
    const principals = lineOf(this.#lines, tenant, () => new Map<string, T[]>());
    lineOf(principals, principal, (): T[] => []).push(item);
    this.#size += 1;
  }

  /**
   * Removes and returns the next item of the first party that may have one; `undefined` if there is
   * none. Its tenant and its principal then move behind all others.
   */
  next(mayHave: (party: Party) => boolean = () => true): T | undefined {
    for (const [tenant, principals] of this.#lines) {
      for (const [principal, items] of principals) {
        if (!mayHave({ tenant, principal })) continue;
        const item = items.shift();
        this.#size -= 1;
        moveBehind(principals, principal, items.length > 0);
        moveBehind(this.#lines, tenant, principals.size > 0);
        return item;
      }
    }
    return undefined;
  }
}

function lineOf<V>(lines: Map<string, V>, name: string, make: () => V): V {
  const found = lines.get(name);
  if (found !== undefined) return found;
  const made = make();
  lines.set(name, made);
  return made;
}

function moveBehind<V>(lines: Map<string, V>, name: string, isKept: boolean): void {
  const line = lines.get(name);
  lines.delete(name);
  if (isKept && line !== undefined) lines.set(name, line);
}
