/** A request to the front door and its answer, without a socket. */
import type { Keep, OperationName } from '@agentkeep/core';
import type { OutputOf, PartsOf } from '@agentkeep/core/clients';
import type { GrantCall, Principal } from '@agentkeep/core/operator';
import type { LinkedAccount } from '../../console/console-links.js';

/** A request of a browser or of a program. */
export interface DoorRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The last segment of a path that has a variable one; empty for other paths. */
  readonly id: string;
  readonly query: URLSearchParams;
  header(name: string): string | null;
  /**
   * Returns the body as text.
   * @throws {AgentkeepError} `request_too_large`.
   */
  body(): Promise<string>;
  readonly keep: Keep;
  readonly calls: DoorCalls;
}

/** The calls that a request makes. */
export interface DoorCalls {
  /**
   * Counts the request under the rate limits, and returns the caller of an access token or
   * `undefined`.
   * @throws {AgentkeepError} `rate_limit_exceeded`.
   */
  count(token: string | undefined): Promise<Principal | undefined>;
  /** Runs an operation, as the holder of an access token if there is one. */
  invoke<N extends OperationName>(name: N, parts: PartsOf<N>, token?: string): Promise<OutputOf<N>>;
  /** Opens the session of an account without a password; returns its refresh token, if it may. */
  openSession(account: LinkedAccount): Promise<string | undefined>;
  /** The request, for events. */
  readonly origin: GrantCall;
}

/** An answer. */
export interface DoorAnswer {
  readonly status: number;
  /** Every answer also gets the headers of the contract. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  readonly body: string;
}
