/**
 * Ways for a request to reach the server, and what comes back.
 * @module
 */
import type { WireRequest } from './draft.js';

/** An answer, read in full. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** From the first byte sent to the last one read. */
  readonly durationMs: number;
}

/** A way to the server. */
export interface Transport {
  readonly isSocket: boolean;
  /** Gives the answer, or `undefined` for a request that cannot be put this way. */
  send(request: WireRequest): Promise<Answer | undefined>;
  close(): Promise<void>;
}

/** What a transport needs of an app. */
export interface FetchingApp {
  fetch(request: Request): Response | Promise<Response>;
}

/** Straight into the app, with the requests that the platform's `Request` can hold. */
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

/** What a URL resolves or turns into slashes, so that a `Request` would ask for another path. */
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
