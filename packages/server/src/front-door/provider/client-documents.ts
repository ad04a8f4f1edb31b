/**
 * The documents that programs publish of themselves (client ID metadata documents), as this server
 * knows them (docs/contract/oauth.md#oau-34). Only a person who is logged in has one fetched:
 * tokens and codes name what was known when they were made.
 */
import { parsedUrl } from '@agentkeep/core/clients';
import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { KeepPorts } from '@agentkeep/core';
import type { Party } from '@agentkeep/core/operator';
import { providerMetadata, REDIRECTS_ALLOWED } from './client-metadata.js';
import { type DocumentAnswer, KnownDocuments } from './known-documents.js';

/** Short, because a person waits; a fetch may wait as long for its turn before. */
const TIMEOUT_MS = 3_000;

/** Most bytes of a document, as its draft recommends. */
const BYTES_MAX = 5_120;

/** Seconds that a document is kept. */
const KEPT = { least: 30, most: 86_400 };

/** The person of the request under way, an object for each. Without one, nothing is fetched. */
export const documentAskers = new AsyncLocalStorage<Party | undefined>();

type Fetcher = NonNullable<KeepPorts['documentFetcher']>;
type Fetched = Awaited<ReturnType<Fetcher['fetch']>>;

/** The documents of one server. */
export class ClientDocuments {
  readonly #fetcher: Fetcher | undefined;
  readonly #known: KnownDocuments;
  /** A request names its program several times, also after a failure. */
  readonly #answers = new WeakMap<Party, Map<string, Promise<DocumentAnswer>>>();

  /** `nowMs` never goes back. Default: that of the process. */
  constructor(fetcher: Fetcher | undefined, nowMs = (): number => performance.now()) {
    this.#fetcher = fetcher;
    this.#known = new KnownDocuments((url, asker) => this.#fetch(url, asker), nowMs);
  }

  /** Returns what a program states at its address; the same throughout a request. */
  find(url: string, asker: Party): Promise<DocumentAnswer> {
    const answers = this.#answers.get(asker) ?? new Map<string, Promise<DocumentAnswer>>();
    this.#answers.set(asker, answers);
    const answer = answers.get(url) ?? this.#known.find(url, asker);
    answers.set(url, answer);
    return answer;
  }

  async #fetch(
    url: string,
    { tenant: tenantId, principal: asker }: Party,
  ): Promise<DocumentAnswer> {
    const fetcher = this.#fetcher;
    if (fetcher === undefined) return refused('this server fetches no documents');
    const bounds = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX };
    return documentAnswer(url, await fetcher.fetch({ tenantId, asker, url, ...bounds }));
  }
}

/** Returns whether a client id is the address of a document: an https URL as browsers spell it. */
export function isDocumentAddress(id: string): boolean {
  const url = parsedUrl(id);
  if (url === undefined) return false;
  const { protocol, username, password, hash, href } = url;
  return protocol === 'https:' && username + password + hash === '' && href === id;
}

function documentAnswer(url: string, fetched: Fetched): DocumentAnswer {
  if (fetched.kind === 'fetched') return statedIn(url, fetched);
  const { reason, status = 0 } = fetched;
  const isRefusal =
    ['address_refused', 'too_large'].includes(reason) ||
    (reason === 'status' && !isTemporary(status));
  if (!isRefusal) return { kind: 'unavailable', isBusy: reason === 'busy' };
  return refused(`its document cannot be fetched: ${reason}`);
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

function isTemporary(status: number): boolean {
  return status >= SERVER_ERROR || status === TOO_MANY_REQUESTS;
}

function statedIn(
  url: string,
  { body, maxAgeSecs = 0 }: Fetched & { readonly kind: 'fetched' },
): DocumentAnswer {
  const stated = jsonOf(body);
  if (!isItsOwn(url, stated)) {
    return refused('its document must be JSON with this client_id, for a public client');
  }
  const properties = providerMetadata(url, stated);
  if (properties === undefined) return refused(REDIRECTS_ALLOWED);
  const keptSecs = Math.min(Math.max(maxAgeSecs, KEPT.least), KEPT.most);
  return { kind: 'known', properties, keptMs: keptSecs * 1_000 };
}

function isItsOwn(url: string, stated: unknown): boolean {
  if (typeof stated !== 'object' || stated === null) return false;
  const { client_id, token_endpoint_auth_method: method = 'none' } = stated as {
    client_id?: unknown;
    token_endpoint_auth_method?: unknown;
  };
  const hasSecret = 'client_secret' in stated || 'client_secret_expires_at' in stated;
  return client_id === url && method === 'none' && !hasSecret;
}

function refused(problem: string): DocumentAnswer {
  return { kind: 'refused', problem, keptMs: KEPT.least * 1_000 };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
