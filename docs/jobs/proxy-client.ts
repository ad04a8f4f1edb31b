/** A client of a proxy with TLS, which chooses the address that it comes from. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

/** The proxy, as clients know it. */
export interface ProxyAddress {
  /** Name of the host, which the certificate is for. */
  readonly host: string;
  readonly port: number;
  readonly certificate: string;
}

/** A request to send. */
export interface ProxyRequest {
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the request a POST; a text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** An answer whose body is read. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Sends requests over connections from one address of the loopback network. */
export class ProxyClient {
  readonly #proxy: ProxyAddress;
  readonly #address: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(proxy: ProxyAddress, address: string) {
    this.#proxy = proxy;
    this.#address = address;
  }

  /** Sends a request and reads its answer. */
  async send(path: string, parts: ProxyRequest = {}): Promise<ProxyAnswer> {
    const answer = await this.open(path, parts);
    let text = '';
    for await (const piece of answer) text += String(piece);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }

  /** Sends a request; the body of its answer is still to be read. */
  async open(path: string, { secret, headers, body }: ProxyRequest): Promise<IncomingMessage> {
    const { host, port, certificate } = this.#proxy;
    const sent = request({
      ...{ host: '127.0.0.1', port, path, servername: host, ca: certificate },
      ...{ localAddress: this.#address, agent: this.#agent },
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Host: host,
        ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    sent.end(typeof body === 'string' ? body : body && JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer.setEncoding('utf8');
  }

  /** Closes its connections. */
  close(): void {
    this.#agent.destroy();
  }
}
