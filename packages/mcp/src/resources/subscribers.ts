/** The subscribers to changes on a connection that stays open. */
import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Most URIs that a connection subscribes to. */
const URIS_MAX = 1_024;

/** Passes the URIs of changed resources on to the server of a connection. */
export class Subscribers {
  /** The URIs of clients that name them one by one; the others have a filter in the SDK. */
  readonly #uris = new Set<string>();
  #send: ((uri: string) => void) | undefined;

  /** Sets the receiver of URIs. */
  connect(send: (uri: string) => void): void {
    this.#send = send;
  }

  /** Reports a change. */
  notify(uri: string): void {
    this.#send?.(uri);
  }

  /** Adds a URI; returns false when there are too many. */
  add(uri: string): boolean {
    if (this.#uris.size >= URIS_MAX && !this.#uris.has(uri)) return false;
    this.#uris.add(uri);
    return true;
  }

  /** Removes a URI. */
  remove(uri: string): void {
    this.#uris.delete(uri);
  }

  /** Whether a URI was added. */
  has(uri: string): boolean {
    return this.#uris.has(uri);
  }
}

/** Lets the client of a connection subscribe. */
export function registerSubscribers(
  { server }: McpServer,
  subscribers: Subscribers,
  era: 'legacy' | 'modern',
): void {
  subscribers.connect((uri) => {
    if (era === 'legacy' && !subscribers.has(uri)) return;
    // The connection may have ended meanwhile.
    server.sendResourceUpdated({ uri }).catch(() => undefined);
  });
  if (era === 'modern') return;
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (subscribers.add(uri)) return {};
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${URIS_MAX} subscriptions.`);
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribers.remove(uri);
    return {};
  });
}
