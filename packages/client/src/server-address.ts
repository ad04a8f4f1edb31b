/** The address of a server and how to call it, as programs state it and as calls use it. */
import { AgentkeepError, requireArguments } from '@agentkeep/core/clients';
import { Addresses } from './addresses.js';
import { type ClientClock, machineClock } from './clock.js';
import type { RetryPolicy } from './retry-policy.js';

/**
 * When a failed call is sent again: after a refusal before anything was done, and, if the call only
 * reads or names its intent, after a failure that leaves open what was done.
 */
export interface RetryOptions {
  /** Most tries of one call, the first one included: 1 to 100. Default: 6. */
  readonly tries?: number | undefined;
  /**
   * Longest time from the first failure to the start of the last try, in milliseconds; default
   * 30,000. An answer whose `Retry-After` is longer than what is left ends the call.
   */
  readonly totalMillis?: number | undefined;
  /** Longest wait before the second try, in milliseconds; it doubles with each. Default: 200. */
  readonly firstWaitMillis?: number | undefined;
  /** Longest wait between two tries, in milliseconds; default 5,000. */
  readonly longestWaitMillis?: number | undefined;
}

/** A server to call. */
export interface ServerAddress {
  /**
   * Base address, such as `http://127.0.0.1:7474`. Servers that share a store are a list of 1 to
   * 16, or one text with commas: calls go to the first, and when it stops or can't be reached at
   * once to the next.
   */
  readonly url: string | readonly string[];
  /** Replaces the global `fetch`, for instance in tests. */
  readonly fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined;
  /** When to send a call again; `false` for one try only. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Longest time that one try may take, in milliseconds; default 60,000. A call that waits for
   * changes has that time beside its wait.
   */
  readonly timeoutMillis?: number | undefined;
  /** Replaces the time and the timers of the machine, in tests. */
  readonly clock?: ClientClock | undefined;
  /** Replaces the chance in waits, in tests: a number from 0 to below 1. */
  readonly random?: (() => number) | undefined;
}

/** A server whose options were checked. */
export interface CheckedServer {
  readonly addresses: Addresses;
  readonly fetch: (url: string, init: RequestInit) => Response | Promise<Response>;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly clock: ClientClock;
  readonly random: () => number;
}

const ADDRESSES_MAX = 16;
const TRIES_MAX = 100;
const TRIES_DEFAULT = 6;
const TOTAL_MS_DEFAULT = 30_000;
const FIRST_WAIT_MS_DEFAULT = 200;
const LONGEST_WAIT_MS_DEFAULT = 5_000;
const TIMEOUT_MS_DEFAULT = 60_000;

/** Longer times overflow the timers of browsers and Node.js. */
const MILLIS_MAX = 2_147_483_647;

/** An address, one below the address of a page, or nothing for the address of the page itself. */
const ADDRESS = /^(?:https?:\/\/[^/]|\/|$)/i;

/**
 * Checks the options of a call such as `connect()`.
 * @throws {AgentkeepError} `invalid_request`, which names the option.
 */
export function checkedServer(call: string, options: ServerAddress): CheckedServer {
  requireArguments(call, { options });
  const { url, fetch = globalThis.fetch, clock = machineClock, random = Math.random } = options;
  requireArguments(call, { url });
  const urls = (typeof url === 'string' ? url.split(',') : url).map((each) => each.trim());
  if (!urls.every((each) => ADDRESS.test(each))) {
    throw wrongOption(call, 'url', 'an address that begins with http:// or https://');
  }
  const [first, ...others] = urls.map((each) => each.replace(/\/$/, ''));
  if (first === undefined || urls.length > ADDRESSES_MAX) {
    throw wrongOption(call, 'url', `1 to ${ADDRESSES_MAX} addresses`);
  }
  const millis = (name: string, value: number | undefined, otherwise: number): number =>
    checkedNumber(call, { name, value: value ?? otherwise, max: MILLIS_MAX });
  return {
    addresses: new Addresses([first, ...others]),
    fetch,
    clock,
    random,
    timeoutMs: millis('timeoutMillis', options.timeoutMillis, TIMEOUT_MS_DEFAULT),
    retry: retryPolicyOf(call, options.retry),
  };
}

function retryPolicyOf(call: string, retry: RetryOptions | false = {}): RetryPolicy {
  const options: RetryOptions = retry === false ? { tries: 1 } : retry;
  const { tries, totalMillis, firstWaitMillis, longestWaitMillis } = options;
  const millis = (name: string, value: number | undefined, otherwise: number): number =>
    checkedNumber(call, { name: `retry.${name}`, value: value ?? otherwise, max: MILLIS_MAX });
  return {
    tries: checkedNumber(call, {
      name: 'retry.tries',
      value: tries ?? TRIES_DEFAULT,
      max: TRIES_MAX,
    }),
    totalMs: millis('totalMillis', totalMillis, TOTAL_MS_DEFAULT),
    firstWaitMs: millis('firstWaitMillis', firstWaitMillis, FIRST_WAIT_MS_DEFAULT),
    longestWaitMs: millis('longestWaitMillis', longestWaitMillis, LONGEST_WAIT_MS_DEFAULT),
  };
}

function checkedNumber(
  call: string,
  { name, value, max }: { readonly name: string; readonly value: number; readonly max: number },
): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw wrongOption(call, name, `an integer from 1 to ${max}`);
}

function wrongOption(call: string, path: string, expected: string): AgentkeepError {
  const message = `${call}: \`${path}\` must be ${expected}.`;
  return new AgentkeepError('invalid_request', { members: [{ path, expected }], message });
}
