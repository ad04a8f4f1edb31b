/**
 * The rate limits of the installation, as its administrators use them.
 */
import { requireArguments } from '../contract/errors/arguments.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';

/** A policy as it is shown. */
export type ShownRateLimit = OutputOf<'getRateLimit'>;

/** Policies, newest first, and the cursor of the next page. */
export type RateLimitPage = OutputOf<'listRateLimits'>;

type NewEndpointType = PartsOf<'createRateLimit'>['document']['endpoint_type'];

/** What can be changed of a policy. */
export interface RateLimitChange {
  /** 1 to 256 UTF-8 bytes; need not be unique. */
  readonly name?: string;
  /** Requests of one client in a window: 1 to 1,000,000,000. */
  readonly maxRequests?: number;
  /** Seconds in which an empty bucket fills: 1 to 86,400. */
  readonly windowSecs?: number;
  readonly enabled?: boolean;
}

/** A policy to make. */
export interface NewRateLimit extends RateLimitChange {
  readonly name: string;
  /** A named part of the API, or `{ Custom: '/path' }` for a path and all below it. */
  readonly endpointType: NewEndpointType;
  readonly maxRequests: number;
  readonly windowSecs: number;
  /** Default: true. */
  readonly enabled?: boolean;
}

/** Rate limit policies; needs the role Admin or SuperAdmin in the installation. */
export class RateLimitClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Makes a policy, which applies at once in place of older ones of its type. */
  async create(policy: NewRateLimit, options?: CallOptions): Promise<ShownRateLimit> {
    requireArguments('rateLimits.create()', { policy });
    const { name, endpointType, maxRequests, windowSecs, enabled } = policy;
    requireArguments('rateLimits.create()', { name, endpointType, maxRequests, windowSecs });
    const document = {
      name,
      endpoint_type: endpointType,
      max_requests: maxRequests,
      window_secs: windowSecs,
      ...(enabled === undefined ? {} : { enabled }),
    };
    return this.#call('createRateLimit', { document }, options);
  }

  /**
   * Shows one policy.
   * @throws {AgentkeepError} `target_not_found`
   */
  async get(id: string, options?: CallOptions): Promise<ShownRateLimit> {
    requireArguments('rateLimits.get()', { id });
    return this.#call('getRateLimit', { id }, options);
  }

  /**
   * Changes the given members of a policy; another limit starts its buckets full.
   * @throws {AgentkeepError} `target_not_found`
   */
  async update(
    id: string,
    change: RateLimitChange,
    options?: CallOptions,
  ): Promise<ShownRateLimit> {
    requireArguments('rateLimits.update()', { id, change });
    const { name, maxRequests, windowSecs, enabled } = change;
    const document = {
      ...(name === undefined ? {} : { name }),
      ...(maxRequests === undefined ? {} : { max_requests: maxRequests }),
      ...(windowSecs === undefined ? {} : { window_secs: windowSecs }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    return this.#call('updateRateLimit', { id, document }, options);
  }

  /**
   * Deletes a policy for good; the next older enabled one of its type applies then.
   * @throws {AgentkeepError} `target_not_found`
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    requireArguments('rateLimits.delete()', { id });
    await this.#call('deleteRateLimit', { id }, options);
  }

  /** One page of the policies, newest first. */
  listPage(page: { limit?: number; cursor?: string } & CallOptions = {}): Promise<RateLimitPage> {
    const { signal, limit, cursor } = page;
    const parameters = {
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    return this.#call('listRateLimits', { parameters }, { signal });
  }

  /** Every policy, newest first, fetched a page at a time. */
  async *list(
    options: { limit?: number } & CallOptions = {},
  ): AsyncGenerator<ShownRateLimit, void> {
    let cursor: string | null = null;
    do {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const page: RateLimitPage = await this.listPage({ ...options, ...position });
      yield* page.policies;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
}
