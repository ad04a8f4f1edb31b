/** Sends messages of webhooks: to checked addresses only, and in bounded time and space. */
import { lookup } from 'node:dns/promises';
import { request as plainRequest, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '@agentkeep/core';
import { type ReceiverAddresses, receiverAddresses } from './receiver-address.js';

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** How messages are sent. */
export interface HttpWebhookSenderOptions {
  /**
   * Addresses and CIDR ranges that may be called although they are private, and without TLS.
   * Default: none.
   */
  readonly allowedAddresses?: readonly string[];
  /** Finds the addresses of a host. Default: as the operating system does. */
  readonly resolve?: (host: string) => Promise<readonly HostAddress[]>;
}

/** Most bytes of an answer that are read; nothing in it matters but its status. */
const ANSWER_BYTES_MAX = 65_536;
const RETRY_AFTER_SECONDS = /^\d{1,6}$/;

/**
 * Returns a sender over HTTPS. It refuses private and other special addresses unless they are
 * listed, connects to the address that it checked, follows no redirect and reuses no connection.
 * @throws {TypeError} for an allowed address that is none.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { httpWebhookSender } from '@agentkeep/server';
 *
 * const webhookSender = httpWebhookSender({ allowedAddresses: ['10.20.0.0/16'] });
 * await using keep = await openKeep({ store: inMemoryStore(), webhookSender });
 * ```
 */
export function httpWebhookSender({
  allowedAddresses = [],
  resolve = (host) => lookup(host, { all: true }),
}: HttpWebhookSenderOptions = {}): WebhookSender {
  const addresses = receiverAddresses(allowedAddresses);
  return {
    send: async (request) => {
      const time = AbortSignal.timeout(request.timeoutMs);
      const signal = AbortSignal.any([time, request.signal]);
      try {
        const found = await permittedAddresses(request.url, { addresses, resolve, signal });
        if (found === 'refused') return { kind: 'failed', reason: 'address_refused' };
        return await exchange(request, found, signal);
      } catch (error) {
        return { kind: 'failed', reason: time.aborted ? 'timeout' : reasonOf(error) };
      }
    },
  };
}

interface Finding {
  readonly addresses: ReceiverAddresses;
  readonly resolve: (host: string) => Promise<readonly HostAddress[]>;
  readonly signal: AbortSignal;
}

/** Returns the addresses of a receiver, or `refused` if one of them must not be called. */
async function permittedAddresses(
  url: string,
  { addresses, resolve, signal }: Finding,
): Promise<readonly HostAddress[] | 'refused'> {
  const { hostname, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/gu, '');
  const family = isIP(host);
  const found =
    family === 0 ? await beforeAbort(resolve(host), signal) : [{ address: host, family }];
  if (found.length === 0) throw new Error('The host has no address.');
  const isPermitted = protocol === 'https:' ? addresses.permits : addresses.lists;
  return found.every(({ address }) => isPermitted(address)) ? found : 'refused';
}

function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Sends the request to one of the addresses, whatever its host means by now. */
function exchange(
  { url, headers, body }: WebhookRequest,
  addresses: readonly HostAddress[],
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body, 'utf8') },
    agent: false,
    signal,
    lookup: (_host, { all }, found) => {
      const [first] = addresses;
      if (all === true) found(null, [...addresses]);
      else found(null, first?.address ?? '', first?.family);
    },
  };
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? tlsRequest : plainRequest;
    const sent = send(url, options, (answer) => {
      const { statusCode = 0, headers: received } = answer;
      resolve({
        kind: 'answered',
        status: statusCode,
        retryAfterMs: retryAfterMs(received['retry-after']),
      });
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) answer.destroy();
      });
      // The status is known, so that a broken end changes nothing.
      answer.on('error', () => undefined);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function retryAfterMs(header: string | undefined): number | null {
  return header !== undefined && RETRY_AFTER_SECONDS.test(header) ? Number(header) * 1_000 : null;
}

function reasonOf(error: unknown): 'tls' | 'protocol' | 'unreachable' {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'protocol';
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/u.test(code)
    ? 'tls'
    : 'unreachable';
}
