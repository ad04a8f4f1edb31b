/** The direct way from a socket to the app: without a `Request` and a `Response` in between. */
import { parsedUrl } from '@agentkeep/core/clients';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Bindings } from './received.js';
import type { Answer } from './respond.js';

/** Names the method of an app that answers a message from a socket. */
export const onMessage = Symbol('onMessage');

/** Names the method of an app that answers a request that was made from a message. */
export const onRequest = Symbol('onRequest');

/** Names the method of an app that ends waiting calls and streams. */
export const onStop = Symbol('onStop');

/** Names the method of an app that ends work that continues after requests. */
export const onDrained = Symbol('onDrained');

/** An app that answers messages from a socket itself. */
export interface MessageApp {
  /** Returns the answer to send. Only for messages that `isOrdinary`. */
  readonly [onMessage]: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<Answer>;
  /** Returns the answer to send, for other messages. */
  readonly [onRequest]: (request: Request, bindings: Bindings) => Promise<Answer>;
  /** Ends waiting calls and streams, because the server stops. */
  readonly [onStop]: () => void;
  /** Ends work that continues after requests, because all accepted requests have ended. */
  readonly [onDrained]: () => void;
}

const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'POST', 'PUT', 'DELETE']);
// A URL keeps these characters in a query, or decodes to the same.
const TARGET = /^\/[\w!#$%&'()*+,\-./:;=?@[\]~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?#]|$)/;
const HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/**
 * Returns whether a message means the same to `onMessage` as the `Request` that the Node.js adapter
 * makes of it. For other messages, the adapter parses the URL and decides on refusals.
 */
export function isOrdinary({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    METHODS.has(method) &&
    TARGET.test(url) &&
    !DOT_SEGMENT.test(url) &&
    headers.host !== undefined &&
    HOST.test(headers.host) &&
    // The adapter parses a URL with escapes, and its host.
    (!url.includes('%') || parsedUrl(`http://${headers.host}/`) !== undefined)
  );
}
