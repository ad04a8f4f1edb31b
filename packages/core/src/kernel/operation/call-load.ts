/** The share of one call in the heavy work of the process; only heavy operations have one. */
import { setImmediate } from 'node:timers/promises';
import type { Principal } from '../access/principal.js';
import type { Call } from './call.js';
import type { HeavyCall, HeavyWork } from '../load/heavy-work.js';
import { type Party, partyOf } from '../load/party.js';

/** Lets a heavy call wait for its slot and its turns. */
export class CallLoad {
  readonly #heavyWork: HeavyWork;
  readonly #call: Pick<Call, 'signal' | 'holdAnswer'>;
  #heavy: HeavyCall | undefined;
  #party: Party | undefined;

  constructor(heavyWork: HeavyWork, call: Pick<Call, 'signal' | 'holdAnswer'>) {
    this.#heavyWork = heavyWork;
    this.#call = call;
  }

  /**
   * Begins the work of a heavy call that passed its checks.
   *
   * @throws {AgentkeepError} `service_busy` beyond a bound.
   */
  async begin(principal: Principal): Promise<void> {
    this.#party = partyOf(principal);
    await this.#enter(this.#party);
  }

  /**
   * Gives up the slot of the call until `idle` has ended, for work that only waits.
   *
   * @throws {AgentkeepError} `service_busy` beyond a bound, as at the beginning.
   */
  async rest<T>(idle: () => Promise<T>): Promise<T> {
    this.#heavy?.end();
    this.#heavy = undefined;
    const result = await idle();
    if (this.#party !== undefined) await this.#enter(this.#party);
    return result;
  }

  async #enter(party: Party): Promise<void> {
    this.#heavy = await this.#heavyWork.enter(party);
    await this.turn();
  }

  /** Resolves when the call may do its next slice; rejects if it was aborted meanwhile. */
  async turn(): Promise<void> {
    await (this.#heavy === undefined ? setImmediate() : this.#heavy.turn());
    this.#call.signal?.throwIfAborted();
  }

  /** Passes the answer to its transport, which reports when it has serialized it. */
  answered(): void {
    if (this.#heavy === undefined) return;
    if (this.#call.holdAnswer === undefined) this.#heavy.end();
    else this.#call.holdAnswer(this.#heavy);
  }

  /** Ends a call that failed. */
  failed(): void {
    this.#heavy?.end();
  }
}
