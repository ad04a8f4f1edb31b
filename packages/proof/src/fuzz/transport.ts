/** Transports of requests to the server, and their answers. */
import type { WireRequest } from './draft.js';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Time from the first byte sent to the last byte read. */
  readonly durationMs: number;
}

/** A transport to the server. */
export interface Transport {
  readonly isSocket: boolean;
  /** Returns the answer, or `undefined` if this transport can't send the request. */
  send(request: WireRequest): Promise<Answer | undefined>;
  close(): Promise<void>;
}

/** The members of an app that a transport uses. */
export interface FetchingApp {
  fetch(request: Request): Response | Promise<Response>;
}

/** Calls the app directly. Supports only requests that the platform's `Request` can represent. */
export function appTransport(app: FetchingApp): Transport {
  return {
    isSocket: false,
    async send(wire) {
      const request = requestOf(wire);
      if (request === undefined) return undefined;
      const startedMs = performance.now();
      const response = await app.fetch(request);
      const text = await response.text();
      const durationMs = performance.now() - startedMs;
      return { status: response.status, headers: response.headers, text, durationMs };
    },
    close: () => Promise.resolve(),
  };
}

/** Matches paths that a URL normalizes, so that a `Request` would have another path. */
const OTHER_PATH = /^[^?#]*(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))/i;

function requestOf({ method, target, headers, body, raw }: WireRequest): Request | undefined {
  if (raw !== undefined || OTHER_PATH.test(target)) return undefined;
  try {
    const init = {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    };
    const withBody = body === undefined ? init : { ...init, body: Uint8Array.from(body) };
    return new Request(`http://localhost${target}`, withBody);
  } catch {
    return undefined;
  }
}
