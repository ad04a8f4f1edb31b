/** Fetches documents of addresses that tenants choose through the client for outgoing requests. */
import type { KeepPorts } from '@agentkeep/core';
import type { HostAddress } from './hosts-file.js';
import { OutgoingClient } from './outgoing-client.js';

/** How documents are fetched. */
interface HttpDocumentFetcherOptions {
  /**
   * Addresses and CIDR ranges that may be called although they are private, and without TLS.
   * Default: none.
   */
  readonly allowedAddresses?: readonly string[];
  /** Finds the addresses of a host, as for {@link httpWebhookSender}. */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;
}

const OK = 200;

/**
 * Returns a fetcher over HTTPS, with the rules of {@link httpWebhookSender}: it refuses private
 * addresses unless they are listed, follows no redirect, and bounds time and bytes. Its requests
 * don't count towards those of webhooks.
 * @throws {TypeError} for an allowed address that is none.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { httpDocumentFetcher } from '@agentkeep/server';
 *
 * const documentFetcher = httpDocumentFetcher({ allowedAddresses: ['10.20.0.0/16'] });
 * await using keep = await openKeep({ store: inMemoryStore(), documentFetcher });
 * ```
 */
export function httpDocumentFetcher({
  allowedAddresses = [],
  resolve,
}: HttpDocumentFetcherOptions = {}): NonNullable<KeepPorts['documentFetcher']> {
  const client = new OutgoingClient({ allowedAddresses, resolve });
  return {
    fetch: async ({ tenantId, asker, url, timeoutMs, bytesMax }) => {
      const answer = await client.send({
        ...{ tenantId, asker, url, timeoutMs, waitMs: timeoutMs },
        method: 'GET',
        headers: { accept: 'application/json', 'user-agent': 'agentkeep' },
        body: '',
        answerBytesMax: bytesMax,
      });
      if (answer.kind === 'busy') return { kind: 'failed', reason: 'busy' };
      if (answer.kind === 'failed') return answer;
      const { status, headers, body } = answer;
      if (status !== OK) return { kind: 'failed', reason: 'status', status };
      if (body === undefined) return { kind: 'failed', reason: 'too_large' };
      return { kind: 'fetched', body, maxAgeSecs: maxAgeOf(headers['cache-control']) };
    },
  };
}

const NOT_KEPT = /(?:^|[\s,])(?:no-store|no-cache)(?:$|[\s,=])/iu;
const MAX_AGE = /(?:^|[\s,])max-age="?(\d{1,10})"?(?:$|[\s,])/iu;

/** Returns how many seconds an answer may be kept (RFC 9111, section 5.2.2), if it says so. */
function maxAgeOf(control: string | undefined): number | undefined {
  if (control === undefined) return undefined;
  if (NOT_KEPT.test(control)) return 0;
  const [, seconds] = MAX_AGE.exec(control) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
