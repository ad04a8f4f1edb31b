/** A request as the exchange sees it: the same whether it comes from a socket or as a `Request`. */
import type { AddressRanges } from '../rate-limit/address-ranges.js';
import { clientAddress } from '../rate-limit/client-address.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientSignal } from './client-signal.js';
import { sentPath } from './sent-path.js';

/** A received request. */
export interface Received {
  readonly method: string;
  /** URL or request target, with the query. */
  readonly url: string;
  /** The path that was sent, still percent-encoded. */
  readonly sentPath: string;
  /** The Node.js request, if there is a socket. */
  readonly incoming: IncomingMessage | undefined;
  /** The Node.js response, if there is a socket. */
  readonly outgoing: ServerResponse | undefined;
  /** Returns a header by its name in lower case; repeated ones are joined with `, `. */
  header(name: string): string | null;
  /** Returns a signal that is aborted when the client leaves. */
  signal(): AbortSignal;
  /** The body, if it does not come from a socket. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Returns the host that a request names: in its header or, without a socket, in its URL. */
export function hostOf(received: Received): string | null {
  const { incoming, url } = received;
  return received.header('host') ?? (incoming === undefined ? new URL(url).host : null);
}

/** Returns the address of the client, behind the proxies that are trusted. */
export function addressOf(received: Received, trustedProxies: AddressRanges): string {
  return clientAddress(
    {
      peer: received.incoming?.socket.remoteAddress,
      forwardedFor: received.header('x-forwarded-for') ?? undefined,
      realIp: received.header('x-real-ip') ?? undefined,
    },
    trustedProxies,
  );
}

/** Returns the origins of that host. Either scheme counts, because a proxy may end TLS. */
export function originsOf(received: Received): readonly string[] {
  const host = hostOf(received);
  return host === null ? [] : [`http://${host}`, `https://${host}`];
}

/** The bindings that the Node.js adapter passes with a `Request`. */
export interface Bindings {
  readonly incoming?: IncomingMessage | undefined;
  readonly outgoing?: ServerResponse | undefined;
}

/** Returns a `Request` as received; `bindings` are empty without a socket. */
export function receivedRequest(request: Request, { incoming, outgoing }: Bindings): Received {
  return {
    method: request.method,
    url: request.url,
    sentPath: sentPath(request.url, incoming),
    incoming,
    outgoing,
    header: (name) => request.headers.get(name),
    signal: () => (outgoing === undefined ? request.signal : clientSignal(outgoing)),
    // Made only when it is read: the adapter would build a stream.
    get body() {
      return request.body as AsyncIterable<Uint8Array> | null;
    },
  };
}

/** Returns a request on a socket as received, without a `Request` in between. */
export function receivedMessage(incoming: IncomingMessage, outgoing: ServerResponse): Received {
  return new ReceivedMessage(incoming, outgoing);
}

class ReceivedMessage implements Received {
  readonly method: string;
  readonly url: string;
  readonly sentPath: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body = null;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.method = incoming.method ?? '';
    this.url = incoming.url ?? '';
    this.sentPath = sentPath(this.url, incoming);
    this.incoming = incoming;
    this.outgoing = outgoing;
  }

  header(name: string): string | null {
    // Node.js keeps only the first of some repeated headers, so the sent ones are searched.
    const { rawHeaders } = this.incoming;
    let value: string | null = null;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at];
      if (sent?.length !== name.length || sent.toLowerCase() !== name) continue;
      const next = rawHeaders[at + 1] ?? '';
      value = value === null ? next : `${value}, ${next}`;
    }
    return value;
  }

  signal(): AbortSignal {
    return clientSignal(this.outgoing);
  }
}
