/** Counts requests by client and part of the API, in the memory of this process. */
import { type Clock, systemClock } from '../ports/clock.js';
import { BucketTable } from './bucket-table.js';
import {
  type ChoosePolicy,
  type EndpointType,
  hasSameLimit,
  policiesInForce,
  policyChooser,
  type PolicySet,
  type RateLimitPolicy,
} from './rate-limit-policy.js';
import type { RateLimitDecision } from './token-bucket-policy.js';

/** Most clients that are remembered for one endpoint type. */
export const RATE_LIMIT_CLIENTS_MAX = 100_000;

/** The limit shown where no policy is in force: the greatest 32-bit number. */
const UNLIMITED = 0xffff_ffff;

const unlimited: RateLimitDecision = Object.freeze({
  type: 'allowed',
  limit: UNLIMITED,
  remaining: UNLIMITED,
  resetInSecs: 0,
});

/**
 * The rate limits of a process.
 * @example
 * ```ts
 * import { defaultRateLimitPolicies, RateLimiter } from '@agentkeep/core/transport';
 *
 * const limiter = new RateLimiter(defaultRateLimitPolicies);
 * const decision = limiter.take('/api/v1/login', '192.0.2.7');
 * if (decision.type === 'refused') throw new Error(`retry in ${decision.retryAfterSecs} s`);
 * ```
 */
export class RateLimiter {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #clientsMax: number;
  #choose: ChoosePolicy = policyChooser([]);
  #revision = 0;
  #tables: ReadonlyMap<RateLimitPolicy, BucketTable> = new Map();

  constructor(
    policies: readonly RateLimitPolicy[],
    clock: Pick<Clock, 'monotonic'> = systemClock,
    clientsMax = RATE_LIMIT_CLIENTS_MAX,
  ) {
    this.#clock = clock;
    this.#clientsMax = clientsMax;
    this.replacePolicies(policies);
  }

  /**
   * Takes a token of a client for a request. `path` is percent-decoded as the router reads it,
   * without the query; `clientKey` is the client's id or address.
   */
  take(path: string, clientKey: string): RateLimitDecision {
    const table = this.#tableOf(path);
    return table === undefined ? unlimited : table.take(clientKey, this.#clock.monotonic());
  }

  /** Returns the state of the bucket that {@link take} would use, without taking; never refused. */
  peek(path: string, clientKey: string): RateLimitDecision {
    const table = this.#tableOf(path);
    return table === undefined ? unlimited : table.peek(clientKey, this.#clock.monotonic());
  }

  /** Revision of the stored policies in force; 0 before any are. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the part of the API that a path is counted under. */
  endpointTypeOf(path: string): EndpointType {
    return this.#choose(path).endpointType;
  }

  /** Applies stored policies, unless a later set is in force already. */
  follow({ revision, policies }: PolicySet): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.replacePolicies(policies);
  }

  /** Applies other policies. Buckets of a policy whose limit is unchanged are kept. */
  replacePolicies(policies: readonly RateLimitPolicy[]): void {
    const known = new Map([...this.#tables].map(([policy, table]) => [policy.id, table]));
    const inForce = policiesInForce(policies);
    this.#choose = policyChooser(inForce);
    this.#tables = new Map(
      inForce.map((policy) => {
        const table = known.get(policy.id);
        const goesOn = table !== undefined && hasSameLimit(table.policy, policy);
        return [policy, goesOn ? table : new BucketTable(policy, this.#clientsMax)];
      }),
    );
  }

  #tableOf(path: string): BucketTable | undefined {
    const { policy } = this.#choose(path);
    return policy && this.#tables.get(policy);
  }
}
