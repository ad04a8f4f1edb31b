/** Creates the HTTP app, with an exchange at every path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keep } from '@agentkeep/core';
import { RateLimiter, type RateLimitPolicy } from '@agentkeep/core/transport';
import type { Logger } from '../log/logger.js';
import { defaultTrustedProxies, parseTrustedProxies } from '../rate-limit/client-address.js';
import { isHttpsOrigin } from './cors.js';
import { Exchange, type ServerContext } from './exchange.js';
import { type MessageApp, onMessage } from './message-app.js';
import { PathTable } from './path-table.js';
import { pathTargets } from './path-targets.js';
import { type Received, receivedMessage, receivedRequest } from './received.js';
import { type Answer, responseOf } from './respond.js';
import { routedPath } from './sent-path.js';

/** Options of the app. */
export interface ServerOptions {
  /** The only browser origin that may call: exactly `https://<host[:port]>`. Default: none. */
  readonly adminOrigin?: string;
  /** Addresses and CIDR ranges whose forwarded headers count. Default: loopback and private. */
  readonly trustedProxies?: readonly string[];
  /** Receives log lines. Default: none. */
  readonly log?: Logger;
  /** Rate limit policies that replace the stored ones. */
  readonly rateLimitPolicies?: readonly RateLimitPolicy[];
}

/** The bindings that the Node.js adapter passes to the app with each request. */
export interface ServerBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/**
 * The app. Run it on a socket with `startServer()`, in another app with `fetch`, or in a test with
 * `app.request(path, init)`. Both methods work without `this`. Only {@link ServerBindings} are read
 * from `env`.
 */
export interface AgentkeepApp {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
  readonly request: (
    input: Request | URL | string,
    init?: RequestInit,
    env?: object,
  ) => Response | Promise<Response>;
}

/**
 * Mounts a keep as `/api/v1`.
 *
 * @throws {TypeError} An option is out of range.
 *
 * @example ```ts import { inMemoryStore, openKeep } from '@agentkeep/core'; import { createServer }
 * from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() }); const app = createServer(keep);
 * const response = await app.request('/health'); if (response.status !== 200) throw new Error('not
 * healthy'); ```
 */
export function createServer(keep: Keep, options: ServerOptions = {}): AgentkeepApp {
  const shared = contextOf(keep, options);
  const table = new PathTable(pathTargets());
  const answer = (received: Received): Promise<Answer> => {
    const path = routedPath(received.sentPath);
    return new Exchange(shared, received, { path, targets: table.find(path) }).answer();
  };
  const fetch = async (request: Request, env: ServerBindings = {}): Promise<Response> =>
    responseOf(await answer(receivedRequest(request, env)), request.method);
  const app: AgentkeepApp & MessageApp = {
    fetch,
    request: (input, init, env) => fetch(requestOf(input, init), env),
    [onMessage]: (incoming, outgoing) => answer(receivedMessage(incoming, outgoing)),
  };
  return app;
}

/** Returns a request; a path is on this host. */
function requestOf(input: Request | URL | string, init?: RequestInit): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init);
  const text = String(input);
  if (/^https?:\/\//.test(text)) return new Request(text, init);
  return new Request(`http://localhost${text.startsWith('/') ? '' : '/'}${text}`, init);
}

function contextOf(keep: Keep, options: ServerOptions): ServerContext {
  const { adminOrigin, trustedProxies, log, rateLimitPolicies } = options;
  if (adminOrigin !== undefined && !isHttpsOrigin(adminOrigin)) {
    throw new TypeError('adminOrigin must be exactly https://<host[:port]>, without a path.');
  }
  return {
    keep,
    adminOrigin,
    trustedProxies: parseTrustedProxies(trustedProxies ?? defaultTrustedProxies),
    log,
    limiter:
      rateLimitPolicies === undefined ? keep.rateLimiter : new RateLimiter(rateLimitPolicies),
  };
}
