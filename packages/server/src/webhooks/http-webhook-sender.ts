/** Sends messages of webhooks through the client for outgoing requests. */
import type { WebhookSender } from '@agentkeep/core';
import type { HostAddress } from '../outgoing/hosts-file.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';

/** How messages are sent. */
export interface HttpWebhookSenderOptions {
  /**
   * Addresses and CIDR ranges that may be called although they are private, and without TLS.
   * Default: none.
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Finds the addresses of a host, and ends at the signal. Default: the system's file of hosts,
   * then its name servers, without search domains.
   */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;
}

const RETRY_AFTER_SECONDS = /^\d{1,6}$/;

/**
 * Returns a sender over HTTPS. It refuses private and other special addresses unless they are
 * listed, connects to the address that it checked, follows no redirect and reuses no connection. It
 * bounds the requests under way in all, by tenant and by host; one beyond is `busy`.
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
  resolve,
}: HttpWebhookSenderOptions = {}): WebhookSender {
  const client = new OutgoingClient({ allowedAddresses, resolve });
  return {
    send: async (request) => {
      const answer = await client.send({ ...request, method: 'POST' });
      if (answer.kind !== 'answered') return answer;
      const { status, headers } = answer;
      return { kind: 'answered', status, retryAfterMs: retryAfterMs(headers['retry-after']) };
    },
  };
}

function retryAfterMs(header: string | undefined): number | null {
  return header !== undefined && RETRY_AFTER_SECONDS.test(header) ? Number(header) * 1_000 : null;
}
