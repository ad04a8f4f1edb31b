/**
 * The only client for calls of the server to addresses that tenants choose. It calls permitted
 * addresses only, follows no redirect, reuses no connection, and bounds time, sockets and bytes.
 */
import { parsedUrl } from '@agentkeep/core/clients';
import { isIP } from 'node:net';
import { type AddressGuard, addressGuard } from './address-guard.js';
import { Deadline, type RequestTime } from './deadline.js';
import { exchange, ProtocolError, type ReceivedAnswer, type Sent } from './exchange.js';
import { hostAddresses, type ResolveHost } from './host-addresses.js';
import type { HostAddress } from './hosts-file.js';
import { OutgoingSlots } from './outgoing-slots.js';

/** Settings of a client. */
export interface OutgoingClientOptions {
  /** Addresses and CIDR ranges that may be called although they are private, and without TLS. */
  readonly allowedAddresses: readonly string[];
  /** Finds the addresses of a host. Default: {@link hostAddresses}. */
  readonly resolve?: ResolveHost | undefined;
}

/** A request that a tenant causes. */
export interface OutgoingRequest extends Sent, RequestTime {
  readonly tenantId: string;
  /** Who of the tenant causes it. Askers share the slots of their tenant in turns. */
  readonly asker?: string | undefined;
  /** How long it may wait for its turn, before its time begins. Default: not at all. */
  readonly waitMs?: number;
}

/** The result of a request. `busy`: nothing was sent, because too many requests are running. */
export type OutgoingAnswer =
  | ({ readonly kind: 'answered' } & ReceivedAnswer)
  | { readonly kind: 'failed'; readonly reason: OutgoingFailure }
  | { readonly kind: 'busy' };

/** Why there is no answer. */
type OutgoingFailure = 'timeout' | 'unreachable' | 'tls' | 'address_refused' | 'protocol';

/**
 * Sends requests of all tenants. Share one client, because its bounds apply to its own requests.
 */
export class OutgoingClient {
  readonly #guard: AddressGuard;
  readonly #resolve: ResolveHost;
  readonly #slots = new OutgoingSlots();

  constructor({ allowedAddresses, resolve = hostAddresses() }: OutgoingClientOptions) {
    this.#guard = addressGuard(allowedAddresses);
    this.#resolve = resolve;
  }

  /**
   * Sends a request once. Never rejects, and settles when the time for the wait and the request is
   * over at the latest.
   */
  async send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const { tenantId, asker, url, waitMs = 0 } = request;
    const host = parsedUrl(url)?.hostname;
    if (host === undefined) return { kind: 'failed', reason: 'unreachable' };
    const use = { tenantId, asker, host };
    const giveBack = await this.#slots.takeInTurn(use, waitMs);
    if (giveBack === undefined) return { kind: 'busy' };
    using deadline = new Deadline(request);
    try {
      const addresses = await this.#permitted(url, deadline.signal);
      if (addresses === undefined) return { kind: 'failed', reason: 'address_refused' };
      return { kind: 'answered', ...(await exchange(request, addresses, deadline.signal)) };
    } catch (error) {
      return { kind: 'failed', reason: deadline.isOver ? 'timeout' : reasonOf(error) };
    } finally {
      giveBack();
    }
  }

  /** Returns the addresses of a URL's host; `undefined` if one of them must not be called. */
  async #permitted(url: string, signal: AbortSignal): Promise<readonly HostAddress[] | undefined> {
    const { hostname, protocol } = new URL(url);
    const host = hostname.replace(/^\[|\]$/gu, '');
    const family = isIP(host);
    const found =
      family === 0
        ? await beforeAbort(this.#resolve(host, signal), signal)
        : [{ address: host, family }];
    if (found.length === 0) throw new Error('The host has no address.');
    const { permits, lists } = this.#guard;
    const isPermitted = protocol === 'https:' ? permits : lists;
    return found.every(({ address }) => isPermitted(address)) ? found : undefined;
  }
}

/** Does not wait for work that continues after the signal. */
async function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function reasonOf(error: unknown): OutgoingFailure {
  if (error instanceof ProtocolError) return 'protocol';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'protocol';
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/u.test(code)
    ? 'tls'
    : 'unreachable';
}
