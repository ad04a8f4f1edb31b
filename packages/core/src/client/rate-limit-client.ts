/** Client of the rate limits of the installation. */
import { requireArguments } from '../contract/errors/arguments.js';
import {
  type CallOperation,
  type CallOptions,
  type OutputOf,
  type PartsOf,
  stated,
} from './call.js';
import { pagesFrom } from './lists/page-walk.js';

/** A policy. */
export type ShownRateLimit = OutputOf<'getRateLimit'>;

/** A page of policies, newest first, with the cursor of the next page. */
export type RateLimitPage = OutputOf<'listRateLimits'>;

type NewEndpointType = PartsOf<'createRateLimit'>['document']['endpoint_type'];

/** Members of a policy that can be changed. */
export interface RateLimitChange {
  /** 1 to 256 UTF-8 bytes; need not be unique. */
  readonly name?: string;
  /** Requests of one client in a window: 1 to 1,000,000,000. */
  readonly maxRequests?: number;
  /** Seconds in which an empty bucket fills: 1 to 86,400. */
  readonly windowSecs?: number;
  readonly enabled?: boolean;
}

/** A change of a policy, which may be bound to a revision. */
export interface RateLimitUpdate extends RateLimitChange {
  /** The revision that is changed. Absent changes any. */
  readonly expectedRevision?: number;
}

/** A new policy. */
export interface NewRateLimit extends RateLimitChange {
  readonly name: string;
  /** A named part of the API, or `{ Custom: '/path' }` for a path and everything below it. */
  readonly endpointType: NewEndpointType;
  readonly maxRequests: number;
  readonly windowSecs: number;
  /** Default: true. */
  readonly enabled?: boolean;
}

/** Manages rate limit policies. Needs the role Admin or SuperAdmin in the installation. */
export class RateLimitClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Creates a policy, which replaces older ones of its type at once. */
  async create(policy: NewRateLimit, options?: CallOptions): Promise<ShownRateLimit> {
    requireArguments('rateLimits.create()', { policy });
    const { name, endpointType, maxRequests, windowSecs, enabled } = policy;
    requireArguments('rateLimits.create()', { name, endpointType, maxRequests, windowSecs });
    const document = {
      name,
      endpoint_type: endpointType,
      max_requests: maxRequests,
      window_secs: windowSecs,
      ...stated({ enabled }),
    };
    return this.#call('createRateLimit', { document }, options);
  }

  /**
   * Returns one policy.
   * @throws {AgentkeepError} `target_not_found`
   */
  async get(id: string, options?: CallOptions): Promise<ShownRateLimit> {
    requireArguments('rateLimits.get()', { id });
    return this.#call('getRateLimit', { id }, options);
  }

  /**
   * Changes the given members of a policy. A new limit starts with full buckets.
   * @throws {AgentkeepError} `target_not_found`; `revision_conflict` if the policy has another
   *   revision than `expectedRevision`
   */
  async update(
    id: string,
    change: RateLimitUpdate,
    options?: CallOptions,
  ): Promise<ShownRateLimit> {
    requireArguments('rateLimits.update()', { id, change });
    const { name, maxRequests, windowSecs, enabled, expectedRevision } = change;
    const members = { name, max_requests: maxRequests, window_secs: windowSecs, enabled };
    const document = { ...stated({ ...members, expected_revision: expectedRevision }) };
    return this.#call('updateRateLimit', { id, document }, options);
  }

  /**
   * Deletes a policy for good. The next older enabled policy of its type then applies.
   * @throws {AgentkeepError} `target_not_found`
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    requireArguments('rateLimits.delete()', { id });
    await this.#call('deleteRateLimit', { id }, options);
  }

  /** Returns one page of the policies, newest first. */
  listPage(page: { limit?: number; cursor?: string } & CallOptions = {}): Promise<RateLimitPage> {
    const { signal, limit, cursor } = page;
    const parameters = {
      ...stated({ limit, cursor }),
    };
    return this.#call('listRateLimits', { parameters }, { signal });
  }

  /** Yields every policy, newest first, fetched a page at a time. */
  async *list(
    options: { limit?: number } & CallOptions = {},
  ): AsyncGenerator<ShownRateLimit, void> {
    const pages = pagesFrom(null, (position) => this.listPage({ ...options, ...position }));
    for await (const page of pages) yield* page.policies;
  }
}
