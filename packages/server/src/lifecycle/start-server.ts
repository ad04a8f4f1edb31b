/**
 * Serves an app on a socket and stops gracefully: what was accepted is finished, nothing else is
 * begun.
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Logger, silentLogger } from '../log/logger.js';
import { Connections } from './connections.js';
import { ListenError } from './listen-error.js';
import { crashResponse, malformedResponse } from './refusal.js';
import { TrackedWork } from './tracked-work.js';

/** An app as the server needs it; `createServer` makes one. */
export interface ServedApp {
  fetch(request: Request, env: { incoming: IncomingMessage }): Response | Promise<Response>;
}

/** What clients may take, so that none of them keeps others from being served. */
export interface ClientLimits {
  /** Milliseconds for the headers of a request. Default: 15,000. */
  readonly headersMs: number;
  /** Milliseconds for a whole request, headers and body. Default: 60,000. */
  readonly requestMs: number;
  /** Milliseconds without taking a byte of an answer. Default: 30,000. */
  readonly stallMs: number;
  /** The slowest that a larger answer may be taken, in bytes a second. Default: 32,768. */
  readonly answerBytesPerSec: number;
  /** Milliseconds between two requests of a connection. Default: 65,000. */
  readonly keepAliveMs: number;
  /** Open connections; one more is closed at once. Default: 10,000. */
  readonly connections: number;
}

/** Where and how to serve. */
export interface StartOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Default: nowhere. */
  readonly log?: Logger;
  /** What clients may take, where it is not the default. */
  readonly limits?: Partial<ClientLimits>;
  /** Gives free what the app stands on, once all work has ended; for a keep, its `close`. */
  readonly release?: () => Promise<void>;
}

/** A server that listens. */
export interface RunningServer {
  /** `http://<host>:<port>` as a client on this machine reaches it. */
  readonly url: string;
  readonly port: number;
  /**
   * Refuses new connections and further requests, waits without limit for accepted requests and
   * their work, then releases. Any number of callers may wait. It rejects when work crashed or the
   * release failed; the server stays closed then, and another call tries the release again.
   */
  stop(): Promise<void>;
}

const defaultLimits: ClientLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  stallMs: 30_000,
  answerBytesPerSec: 32_768,
  keepAliveMs: 65_000,
  connections: 10_000,
};
/** Looks for slow requests in so many milliseconds, or more often where limits are short. */
const CHECK_MS = 5_000;
// Node.js bounds the bytes of names and values alone, so thousands of short ones would pass.
const HEADERS_MAX = 200;

/** Stands in the URL of a request that names no host. */
const HOST_OF_HTTP_1_0 = 'localhost';

/**
 * Starts to listen.
 * @throws {ListenError} when the address cannot be had.
 */
export async function startServer(app: ServedApp, options: StartOptions): Promise<RunningServer> {
  const { host, port, log = silentLogger, release = () => Promise.resolve() } = options;
  const work = new TrackedWork(log);
  const limits = { ...defaultLimits, ...options.limits };
  const server = limitedServer(limits);
  const connections = new Connections(server, limits);
  answerRequests(server, app, connections, work);
  await listen(server, host, port);

  const address = server.address() as AddressInfo;
  const stop = stopOnce(async () => {
    if (server.listening) {
      const closed = new Promise((resolve) => server.close(resolve));
      connections.drain();
      log.info('draining', { connections: connections.count, requests: work.count });
      await closed;
    }
    await work.settled();
    await release();
    work.assertNoCrash();
    log.info('stopped');
  });
  return { url: urlOf(host, address.port), port: address.port, stop };
}

/** A server that waits for no client, and takes no more of them than it can serve. */
function limitedServer(limits: ClientLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
    // Checked below instead, so that the refusal is in the envelope.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  return server;
}

function answerRequests(
  server: Server,
  app: ServedApp,
  connections: Connections,
  work: TrackedWork,
): void {
  const answer = getRequestListener(
    async (request, env) => {
      // The server speaks HTTP/1.1 alone, which is what the wider type of the adapter leaves open.
      const incoming = env.incoming as IncomingMessage;
      const refusal = refusalOf(incoming);
      if (refusal !== undefined) return malformedResponse(refusal);
      const running = work.run(() => app.fetch(request, { incoming }), crashResponse);
      return running.finally(() => {
        connections.answered(incoming);
      });
    },
    // The handler is called for requests of which the adapter can make no `Request`.
    { hostname: HOST_OF_HTTP_1_0, errorHandler: () => malformedResponse(400) },
  );
  const accept = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!connections.accept(incoming, outgoing)) return;
    // Node.js drops what arrives with a request to change protocols, so no answer may be expected.
    if (incoming.headers.upgrade !== undefined) outgoing.setHeader('Connection', 'close');
    void answer(incoming, outgoing);
  };
  server.on('request', accept);
  // An expectation that nobody knows is no reason to refuse a request.
  server.on('checkExpectation', accept);
}

/** The status that a request is refused with before it is looked into; none for a good one. */
function refusalOf(incoming: IncomingMessage): number | undefined {
  if (incoming.rawHeaders.length > 2 * HEADERS_MAX) return 431;
  return hasOneHost(incoming) ? undefined : 400;
}

/** One host and no other one; only HTTP/1.0 may leave it out, as simple probes do. */
function hasOneHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  // Names and values by turns; the parsed headers hide a second one.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new ListenError({ host, port }, cause));
    });
    server.listen({ host, port }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

/** One run that all callers share; after a failure the next caller starts another. */
function stopOnce(run: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= run().catch((error: unknown) => {
      stopping = undefined;
      throw error;
    });
    return stopping;
  };
}

/** The address for a client on this machine, where "all addresses" is none to connect to. */
export function urlOf(host: string, port: number): string {
  const reachable = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]).get(host);
  const name = reachable ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
