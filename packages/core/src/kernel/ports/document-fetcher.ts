/** The port that fetches documents from addresses that tenants choose. */

/** A document to fetch. */
interface FetchRequest {
  /** The tenant that chose the address. */
  readonly tenantId: string;
  /** Who of the tenant causes the fetch; a fetcher should serve askers in turns. */
  readonly asker?: string;
  readonly url: string;
  /**
   * How long it may take in all: finding the address, connecting, and the whole answer. A fetch may
   * wait as long for its turn before.
   */
  readonly timeoutMs: number;
  /** Most bytes of the document. */
  readonly bytesMax: number;
}

/** The result of a fetch. */
type FetchAnswer =
  | {
      readonly kind: 'fetched';
      readonly body: string;
      /** Seconds that the document may be kept, if its answer says so. */
      readonly maxAgeSecs?: number | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly reason:
        | 'timeout'
        | 'unreachable'
        | 'tls'
        | 'address_refused'
        | 'protocol'
        | 'busy'
        | 'status'
        | 'too_large';
      /** The status of an answer with another one than 200. */
      readonly status?: number;
    };

/**
 * Fetches documents. A fetcher must refuse addresses inside its own network and follow no redirect.
 */
export interface DocumentFetcher {
  /** Fetches a document with the status 200. Never rejects. */
  fetch(request: FetchRequest): Promise<FetchAnswer>;
}
