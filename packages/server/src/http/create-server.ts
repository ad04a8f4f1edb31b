/** Creates the HTTP app, with an exchange at every path. */
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keep } from '@agentkeep/core';
import { RateLimiter, type RateLimitPolicy } from '@agentkeep/core/operator';
import type { ConsoleLinks } from '../console/console-links.js';
import { CONSOLE_PAGE } from '../console/console-paths.js';
import { FrontDoor, type FrontDoorOptions } from '../front-door/front-door.js';
import {
  isPublicUrl,
  isWebOrigin,
  PUBLIC_URL_ALLOWED,
  WEB_ORIGIN_ALLOWED,
} from '../front-door/public-url.js';
import type { Logger } from '../log/logger.js';
import { allMeters, type Metrics } from '../metrics/metrics.js';
import { isMetricsToken, METRICS_TOKEN_ALLOWED, metricsCheck } from '../metrics/metrics-token.js';
import { parseAddressRanges } from '../rate-limit/address-ranges.js';
import { defaultTrustedProxies } from '../rate-limit/client-address.js';
import type { Tracing } from '../tracing/tracing.js';
import { isHttpsOrigin } from './cors.js';
import { Exchange, type ServerContext } from './exchange.js';
import type { McpMount } from './mcp-answer.js';
import { type MessageApp, onDrained, onMessage, onRequest, onStop } from './message-app.js';
import { PathTable } from './path-table.js';
import { pathTargets } from './path-targets.js';
import { type Bindings, type Received, receivedMessage, receivedRequest } from './received.js';
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
  /** Counts and measures requests; `openMetrics()` makes it. Default: nothing is measured. */
  readonly metrics?: Metrics;
  /**
   * Makes spans of requests, and measures them and the keep, with OpenTelemetry; `openTracing()`
   * opens it. Default: none.
   */
  readonly tracing?: Tracing;
  /**
   * The secret with which `GET /metrics` shows {@link metrics}, sent as a Bearer token: 16 to 512
   * visible ASCII characters. Default: there is no such path.
   */
  readonly metricsToken?: string;
  /**
   * Serves the Model Context Protocol at `/mcp`; `mcpMount()` of `@agentkeep/mcp` makes it.
   * Default: there is no such path.
   */
  readonly mcp?: McpMount;
  /**
   * Lets people log in by browser and connect programs by OAuth. Default: there is no front door.
   */
  readonly frontDoor?: FrontDoorOptions;
  /**
   * The origins that proofs of keys (DPoP) count for. Default: `publicUrl` of the front door, else
   * the host that each request names.
   */
  readonly keyProofOrigins?: readonly string[];
  /**
   * Serves the console for people at `/console`; `links` are those that sign in to it. Default:
   * there is no such path.
   */
  readonly console?: { readonly links?: ConsoleLinks };
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
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { createServer } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const app = createServer(keep);
 * const response = await app.request('/health');
 * if (response.status !== 200) throw new Error('not healthy');
 * ```
 */
export function createServer(keep: Keep, options: ServerOptions = {}): AgentkeepApp {
  const ending = new AbortController();
  // Everything that waits listens to it.
  setMaxListeners(0, ending.signal);
  const context = contextOf(keep, options, ending.signal);
  const provided = options.tracing?.meterOf?.(keep);
  const shared = { ...context, meter: allMeters(options.metrics, provided) };
  const has = {
    hasMetrics: shared.shownMetrics !== undefined,
    hasMcp: shared.mcp !== undefined,
    hasDoor: shared.door !== undefined,
    hasConsole: options.console !== undefined,
  };
  const table = new PathTable(pathTargets(has));
  ending.signal.addEventListener('abort', () => shared.mcp?.close());
  const answer = (received: Received): Promise<Answer> => {
    const path = routedPath(received.sentPath);
    return new Exchange(shared, received, { path, targets: table.find(path) }).answer();
  };
  const answerRequest = (request: Request, env: Bindings): Promise<Answer> =>
    answer(receivedRequest(request, env));
  const fetch = async (request: Request, env: ServerBindings = {}): Promise<Response> =>
    responseOf(await answerRequest(request, env), request.method);
  const app: AgentkeepApp & MessageApp = {
    fetch,
    request: (input, init, env) => fetch(requestOf(input, init), env),
    [onMessage]: (incoming, outgoing) => answer(receivedMessage(incoming, outgoing)),
    [onRequest]: answerRequest,
    [onStop]: () => {
      ending.abort();
    },
    [onDrained]: () => {
      provided?.stop();
    },
  };
  return app;
}

/** The path of the reference of this server. */
const REFERENCE_PAGE = '/docs';

/** Returns a request; a path is resolved on this host. */
function requestOf(input: Request | URL | string, init?: RequestInit): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init);
  const text = String(input);
  if (/^https?:\/\//.test(text)) return new Request(text, init);
  return new Request(`http://localhost${text.startsWith('/') ? '' : '/'}${text}`, init);
}

function contextOf(keep: Keep, options: ServerOptions, stopping: AbortSignal): ServerContext {
  const { adminOrigin, trustedProxies, log, rateLimitPolicies, metrics, tracing } = options;
  if (adminOrigin !== undefined && !isHttpsOrigin(adminOrigin)) {
    throw new TypeError('adminOrigin must be exactly https://<host[:port]>, without a path.');
  }
  return {
    keep,
    adminOrigin,
    trustedProxies: parseAddressRanges(trustedProxies ?? defaultTrustedProxies),
    log,
    stopping,
    tracing,
    mcp: options.mcp,
    door: doorOf(keep, options),
    keyProofOrigins: keyProofOriginsOf(options),
    startPage: options.console === undefined ? REFERENCE_PAGE : CONSOLE_PAGE,
    hasConsole: options.console !== undefined,
    consoleLinks: options.console?.links,
    meter: metrics,
    shownMetrics: shownMetricsOf(options),
    limiter:
      rateLimitPolicies === undefined ? keep.rateLimiter : new RateLimiter(rateLimitPolicies),
  };
}

function doorOf(keep: Keep, { frontDoor, mcp, console }: ServerOptions): FrontDoor | undefined {
  if (frontDoor === undefined) return undefined;
  if (!isPublicUrl(frontDoor.publicUrl)) {
    throw new TypeError(`frontDoor.publicUrl must be ${PUBLIC_URL_ALLOWED}.`);
  }
  return new FrontDoor(keep, frontDoor, {
    hasMcp: mcp !== undefined,
    hasConsole: console !== undefined,
  });
}

function keyProofOriginsOf({ keyProofOrigins, frontDoor }: ServerOptions) {
  const origins = keyProofOrigins ?? (frontDoor === undefined ? undefined : [frontDoor.publicUrl]);
  if (origins?.every(isWebOrigin) === false) {
    throw new TypeError(`Each of keyProofOrigins must be ${WEB_ORIGIN_ALLOWED}.`);
  }
  return origins;
}

/** Returns the metrics to show on this port, with the check of their readers. */
function shownMetricsOf({ metrics, metricsToken }: ServerOptions): ServerContext['shownMetrics'] {
  if (metricsToken === undefined) return undefined;
  if (metrics === undefined) throw new TypeError('metricsToken needs metrics to show.');
  if (!isMetricsToken(metricsToken)) {
    throw new TypeError(`metricsToken must have ${METRICS_TOKEN_ALLOWED}.`);
  }
  return { metrics, isAllowed: metricsCheck(metricsToken) };
}
