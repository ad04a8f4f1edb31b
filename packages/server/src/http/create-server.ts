/**
 * The HTTP app: thin, because all it does is bind a request, invoke an operation and respond.
 * @module
 */
import type { IncomingMessage } from 'node:http';
import { AgentkeepError, type Keep, operations, type OperationName } from '@agentkeep/core';
import {
  type Operation,
  RateLimiter,
  type RateLimitPolicy,
  type Surface,
} from '@agentkeep/core/transport';
import { type Context, Hono } from 'hono';
import type { Logger } from '../log/logger.js';
import { contractText } from '../openapi/document.js';
import { defaultTrustedProxies, parseTrustedProxies } from '../rate-limit/client-address.js';
import { contractRoute, parameterOf, type Route, routes } from '../routes.js';
import { pathSegment } from './path-segment.js';
import { routedPath, sentPath } from './sent-path.js';
import { isHttpsOrigin } from './cors.js';
import { Exchange, type Surroundings } from './exchange.js';

/** Settings of the app. */
export interface ServerOptions {
  /** The one browser origin that may call; exactly `https://<host[:port]>`. Default: none. */
  readonly adminOrigin?: string;
  /** Addresses and CIDR ranges whose forwarded headers count. Default: loopback and private. */
  readonly trustedProxies?: readonly string[];
  /** Where log lines go. Default: nowhere. */
  readonly log?: Logger;
  /** Rate limits in force, in place of those that the keep has stored. */
  readonly rateLimitPolicies?: readonly RateLimitPolicy[];
}

/** What the Node.js adapter hands to the app beside each request. */
export interface ServerBindings {
  readonly incoming?: IncomingMessage;
}

/**
 * The app: runs on a socket by `startServer()`, in another app by `fetch`, or in a test by
 * `app.request(path, init)`. Neither needs its receiver. Of `env`, {@link ServerBindings} are read.
 */
export interface AgentkeepApp {
  readonly fetch: (request: Request, env?: object) => Response | Promise<Response>;
  readonly request: (
    input: Request | URL | string,
    init?: RequestInit,
    env?: object,
  ) => Response | Promise<Response>;
}

type AppContext = Context<{ Bindings: ServerBindings }>;
type Handler = (exchange: Exchange) => Promise<Response>;

/**
 * Mounts a keep as `/api/v1`.
 * @throws {TypeError} when an option is out of range.
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
  const surroundings = surroundingsOf(keep, options);
  const app = new Hono<{ Bindings: ServerBindings }>({
    getPath: ({ url }, { env } = {}) => routedPath(sentPath(url, incomingOf(env))),
  });
  const handle = (context: AppContext, surface: Surface, handler: Handler): Promise<Response> => {
    const received = {
      surface,
      request: context.req.raw,
      path: context.req.path,
      incoming: incomingOf(context.env),
    };
    return new Exchange(surroundings, received).run(handler);
  };
  for (const [path, { surface, handlers }] of handlersByPath()) {
    // One handler a path: the router then calls it without a chain in between.
    app.all(path.replace('{', ':').replace('}', ''), (context) =>
      handle(context, surface, (exchange) => dispatch(exchange, handlers, path, context)),
    );
  }
  app.notFound((context) =>
    handle(context, 'platform', (exchange) => exchange.refuse(new AgentkeepError('not_found'))),
  );
  return app;
}

/** Hands a request to the method of its path that it asks for; HEAD is answered as GET. */
function dispatch(
  exchange: Exchange,
  handlers: ReadonlyMap<string, RouteHandler>,
  path: string,
  { req, env }: AppContext,
): Promise<Response> {
  const handler = handlers.get(req.method === 'HEAD' ? 'GET' : req.method);
  if (handler !== undefined)
    return handler(exchange, pathSegment(path, sentPath(req.url, incomingOf(env))));
  const methods = [...handlers.keys()];
  return req.method === 'OPTIONS'
    ? exchange.preflightOr405(methods)
    : exchange.methodNotAllowed(methods);
}

/** There are no bindings when a test calls the app without a socket. */
function incomingOf(bindings: ServerBindings | undefined): IncomingMessage | undefined {
  return bindings?.incoming;
}

type RouteHandler = (exchange: Exchange, id: string | undefined) => Promise<Response>;

/** What a path answers: the methods that it takes, and its shape of errors. */
interface PathHandlers {
  readonly surface: Surface;
  readonly handlers: Map<string, RouteHandler>;
}

/** The paths; a fixed one stands before one with a parameter that it would fit as well. */
function handlersByPath(): [string, PathHandlers][] {
  const byPath = new Map<string, PathHandlers>();
  const add = ({ path, method }: Route, surface: Surface, handler: RouteHandler): void => {
    const known = byPath.get(path) ?? { surface, handlers: new Map<string, RouteHandler>() };
    known.handlers.set(method, handler);
    byPath.set(path, known);
  };
  for (const name of Object.keys(routes) as OperationName[]) {
    const operation: Operation = operations[name];
    const { status } = routes[name];
    add(routes[name], operation.surface, (exchange, id) => exchange.invoke(operation, status, id));
  }
  add(contractRoute, 'platform', (exchange) => exchange.publish(contractText));
  const isOpen = ([path]: [string, PathHandlers]): number =>
    parameterOf(path) === undefined ? 0 : 1;
  return [...byPath].sort((one, other) => isOpen(one) - isOpen(other));
}

function surroundingsOf(keep: Keep, options: ServerOptions): Surroundings {
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
