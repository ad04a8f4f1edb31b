/**
 * An HTTP client that connects from one loopback address, so that the server counts it as a client
 * of its own.
 */
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Far beyond what a call takes; a call that takes longer has failed. */
const CALL_MS_MAX = 60_000;

/** The headers of answers that attackers read. */
const KEPT_HEADERS = ['dpop-nonce', 'location', 'set-cookie'] as const;

/** A request of a client. */
export interface LocalRequest {
  readonly method: string;
  readonly path: string;
  readonly secret: string;
  readonly document?: object;
}

/** A client that keeps its connections open. */
export class LocalClient implements Disposable {
  readonly #url: string;
  readonly #localAddress: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, localAddress: string) {
    this.#url = url;
    this.#localAddress = localAddress;
  }

  /** Stands in for the global `fetch`. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    const sent = this.#request(url, method, Object.fromEntries(new Headers(headers)));
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const kept = new Headers();
    for (const name of KEPT_HEADERS) {
      for (const value of answer.headersDistinct[name] ?? []) kept.append(name, value);
    }
    return new Response(await buffer(answer), { status: answer.statusCode ?? 0, headers: kept });
  };

  /** Sends a request and discards the answer; returns its status, or 0 if there is no answer. */
  async ask(request: LocalRequest): Promise<number> {
    try {
      return await this.#status(request);
    } catch {
      return 0;
    }
  }

  async #status({ method, path, secret, document }: LocalRequest): Promise<number> {
    const body = document === undefined ? undefined : JSON.stringify(document);
    const sent = this.#request(this.#url + path, method, {
      Authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  }

  /** Closes its connections. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #request(url: string, method: string, headers: Record<string, string>): ClientRequest {
    const signal = AbortSignal.timeout(CALL_MS_MAX);
    const localAddress = this.#localAddress;
    const sent = request(url, { method, headers, agent: this.#agent, localAddress, signal });
    // The caller that awaits the answer gets its error. This listener takes any later error.
    sent.on('error', () => undefined);
    return sent;
  }
}
