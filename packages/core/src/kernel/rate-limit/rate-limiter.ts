/** Counts requests by client and part of the API, in the memory of this process. */
import { RATE_LIMIT_REQUESTS_MAX } from '../../contract/limits.js';
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

/** How many times the limit of one client all clients of a tenant share. */
export const RATE_LIMIT_TENANT_FACTOR = 10;

/** The limit shown where no policy is in force: the greatest 32-bit number. */
const UNLIMITED = 0xffff_ffff;

const unlimited: RateLimitDecision = Object.freeze({
  type: 'allowed',
  limit: UNLIMITED,
  remaining: UNLIMITED,
  resetInSecs: 0,
});

/** The buckets of one policy: of clients, and of the tenants that clients belong to. */
interface Tables {
  readonly clients: BucketTable;
  readonly tenants: BucketTable;
}

/**
 * The rate limits of a process.
 * @example
 * ```ts
 * import { defaultRateLimitPolicies, RateLimiter } from '@agentkeep/core/operator';
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
  #tables: ReadonlyMap<RateLimitPolicy, Tables> = new Map();

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
   * without the query; `clientKey` is the client's id or address. For a client of a tenant takes
   * one of the tenant too, because a tenant makes as many clients as it likes.
   */
  take(path: string, clientKey: string, tenantId?: string): RateLimitDecision {
    const tables = this.#tablesOf(path);
    if (tables === undefined) return unlimited;
    const nowMs = this.#clock.monotonic();
    const decision = tables.clients.take(clientKey, nowMs);
    if (tenantId === undefined || decision.type === 'refused') return decision;
    const shared = tables.tenants.take(tenantId, nowMs);
    return shared.type === 'refused' ? shared : decision;
  }

  /** Returns the state of the bucket that {@link take} would use, without taking; never refused. */
  peek(path: string, clientKey: string): RateLimitDecision {
    const tables = this.#tablesOf(path);
    return tables?.clients.peek(clientKey, this.#clock.monotonic()) ?? unlimited;
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
    const known = new Map([...this.#tables].map(([policy, tables]) => [policy.id, tables]));
    const inForce = policiesInForce(policies);
    this.#choose = policyChooser(inForce);
    this.#tables = new Map(
      inForce.map((policy) => {
        const tables = known.get(policy.id);
        const goesOn = tables !== undefined && hasSameLimit(tables.clients.policy, policy);
        return [policy, goesOn ? tables : this.#tablesFor(policy)];
      }),
    );
  }

  #tablesFor(policy: RateLimitPolicy): Tables {
    const maxRequests = policy.maxRequests * RATE_LIMIT_TENANT_FACTOR;
    const shared = { ...policy, maxRequests: Math.min(maxRequests, RATE_LIMIT_REQUESTS_MAX) };
    return {
      clients: new BucketTable(policy, this.#clientsMax),
      tenants: new BucketTable(shared, this.#clientsMax),
    };
  }

  #tablesOf(path: string): Tables | undefined {
    const { policy } = this.#choose(path);
    return policy && this.#tables.get(policy);
  }
}
