/** Fetches the documents that programs publish of themselves (client ID metadata documents). */
import type { KeepPorts } from '@agentkeep/core';
import { providerMetadata } from './client-metadata.js';

const TIMEOUT_MS = 5_000;

/** Most bytes of a document, as its draft recommends. */
const BYTES_MAX = 5_120;

/**
 * Returns a `fetch` for the authorization server that goes through the guarded client of the
 * server. It hands on what counts of a document, so that all programs are treated alike.
 */
export function clientDocumentFetch(
  fetcher: KeepPorts['documentFetcher'],
): (url: string | URL) => Promise<Response> {
  return async (address) => {
    const url = String(address);
    const bounds = { tenantId: '', timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX };
    const answer = await fetcher?.fetch({ url, ...bounds });
    if (answer?.kind !== 'fetched') return new Response(null, { status: 502 });
    const stated: unknown = JSON.parse(answer.body);
    return Response.json(isItsOwn(url, stated) ? providerMetadata(url, stated) : stated);
  };
}

/** Other documents go on as they are, and are refused for it. */
function isItsOwn(url: string, stated: unknown): boolean {
  if (typeof stated !== 'object' || stated === null) return false;
  const { client_id, token_endpoint_auth_method: method = 'none' } = stated as {
    client_id?: unknown;
    token_endpoint_auth_method?: unknown;
  };
  return client_id === url && method === 'none' && !('client_secret' in stated);
}
