/** A `fetch` for protocol libraries that uses the client for outgoing requests. */
import type { OutgoingClient } from '../outgoing/outgoing-client.js';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 65_536;

/** A request that got no answer. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  /** One of the reasons of the client, `busy` or `too_large`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The issuer gave no answer: ${reason}.`);
    this.reason = reason;
  }
}

/** The parts of a request that libraries send. */
interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A fetch as libraries call it. */
export type GuardedFetch = (url: string, init: FetchInit) => Promise<Response>;

/** The authority that names an issuer, and who causes the call. */
interface IssuerCaller {
  readonly authority: string;
  readonly asker?: string | undefined;
}

/**
 * Returns a fetch for the issuers of one authority: in 5 seconds and 65,536 bytes, to permitted
 * addresses, without redirects. It throws {@link OutgoingError}.
 */
export function guardedFetch(
  client: OutgoingClient,
  { authority, asker }: IssuerCaller,
): GuardedFetch {
  return async (url, { method = 'GET', headers = {}, body }) => {
    const answer = await client.send({
      ...{ tenantId: authority, asker, url, timeoutMs: TIMEOUT_MS, waitMs: TIMEOUT_MS },
      method: method === 'POST' ? 'POST' : 'GET',
      headers: namesInLowerCase(headers),
      body: typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : '',
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    if (answer.kind === 'busy') throw new OutgoingError('busy');
    if (answer.kind === 'failed') throw new OutgoingError(answer.reason);
    const { status, body: text } = answer;
    if (text === undefined) throw new OutgoingError('too_large');
    const received = receivedHeaders(answer.headers);
    // A Response with a body cannot have these statuses.
    return new Response([204, 205, 304].includes(status) ? null : text, {
      status,
      headers: received,
    });
  };
}

function namesInLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...(Object.fromEntries(entries) as Record<string, string>), 'user-agent': 'agentkeep' };
}

/** Only what the libraries read. */
function receivedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of ['content-type', 'www-authenticate']) {
    const value = headers[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}
