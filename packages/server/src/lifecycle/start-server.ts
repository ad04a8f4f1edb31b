/** Serves an app on a socket and stops gracefully: accepted requests finish, no others start. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { isOrdinary, onDrained, onStop } from '../http/message-app.js';
import { type Logger, silentLogger } from '../log/logger.js';
import { parseAddressRanges } from '../rate-limit/address-ranges.js';
import { defaultTrustedProxies } from '../rate-limit/client-address.js';
import { adaptedAnswers, type ServedApp } from './adapted-answers.js';
import { writeWhole } from './answer-writer.js';
import { ConnectionRoom } from './connection-room.js';
import { Connections } from './connections.js';
import { listen } from './listen.js';
import { answerDirectly, isMessageApp } from './direct-answers.js';
import { stoppingAnswer } from './refusal.js';
import { SharedTurns } from './shared-turns.js';
import { TrackedWork } from './tracked-work.js';
import { refusalOf } from './well-formed.js';

/** Limits that keep one client from blocking others. */
export interface ClientLimits {
  /** Milliseconds for the headers of a request. Default: 15,000. */
  readonly headersMs: number;
  /** Milliseconds for a whole request, headers and body. Default: 60,000. */
  readonly requestMs: number;
  /**
   * Longest time, in milliseconds, in which a client reads nothing of a response. Default: 30,000.
   */
  readonly stallMs: number;
  /** Lowest rate of reading a large response, in bytes per second. Default: 32,768. */
  readonly answerBytesPerSec: number;
  /** Milliseconds between two requests on a connection. Default: 65,000. */
  readonly keepAliveMs: number;
  /**
   * Open connections. At the bound a new one replaces the one that has been idle longest; if none
   * is idle, the new one is closed at once. Default: 10,000.
   */
  readonly connections: number;
  /**
   * Open connections of one address that is no trusted proxy, with the same rule; of IPv6 the first
   * 64 bits count. Default: 1,000.
   */
  readonly connectionsPerAddress: number;
}

/** Where and how to serve. */
export interface StartOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Default: no log. */
  readonly log?: Logger;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ClientLimits>;
  /**
   * Addresses and CIDR ranges without a bound of their own on connections, because many clients
   * share them. Default: loopback and private ranges.
   */
  readonly trustedProxies?: readonly string[];
  /** Milliseconds that a stop waits for accepted requests. Default: 10,000. */
  readonly stopGraceMs?: number;
  /** Releases the resources of the app after all work has ended; for a keep, its `close`. */
  readonly release?: () => Promise<void>;
}

/** A server that is listening. */
export interface RunningServer {
  /** `http://<host>:<port>`, reachable from this machine. */
  readonly url: string;
  readonly port: number;
  /**
   * Refuses new connections, and requests with `server_stopping`, waits for accepted requests and
   * their work, then releases. Requests that are not answered after nine tenths of the grace lose
   * their connections, which ends reads early; the release begins at the end of the grace at the
   * latest. Safe to call repeatedly. Rejects when a request crashed or the release failed; the
   * server stays closed, and another call retries the release.
   */
  stop(): Promise<void>;
}

/** Bounds of one client, unless the options say otherwise. */
export const defaultLimits: ClientLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  stallMs: 30_000,
  answerBytesPerSec: 32_768,
  keepAliveMs: 65_000,
  connections: 10_000,
  connectionsPerAddress: 1_000,
};
const STOP_GRACE_MS = 10_000;

/** Interval of the check for slow requests, in milliseconds; shorter with shorter limits. */
const CHECK_MS = 5_000;

/**
 * Starts listening.
 * @throws {ListenError} when the address is not available.
 */
export async function startServer(app: ServedApp, options: StartOptions): Promise<RunningServer> {
  const { host, port, log = silentLogger, release = () => Promise.resolve() } = options;
  const { stopGraceMs: graceMs = STOP_GRACE_MS } = options;
  const work = new TrackedWork(log);
  const limits = { ...defaultLimits, ...options.limits };
  const server = limitedServer(limits);
  const proxies = parseAddressRanges(options.trustedProxies ?? defaultTrustedProxies);
  const connections = new Connections(server, limits, new ConnectionRoom(limits, proxies));
  answerRequests(server, app, connections, work);
  await listen(server, { host, port });

  const address = server.address() as AddressInfo;
  const stop = stopOnce(async () => {
    if (server.listening) {
      // The method of an HTTP server would also close idle connections, which get an answer yet.
      const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
      connections.drain();
      if (isMessageApp(app)) app[onStop]();
      log.info('draining', { connections: connections.count, requests: work.count });
      await finished(closed, connections, { work, log, graceMs });
      server.close();
      if (isMessageApp(app)) app[onDrained]();
    }
    await release();
    work.assertNoCrash();
    log.info('stopped');
  });
  return { url: urlOf(host, address.port), port: address.port, stop };
}

interface Draining {
  readonly work: TrackedWork;
  readonly log: Logger;
  readonly graceMs: number;
}

/** Waits for the accepted requests, at most for the grace period; its last tenth cuts clients. */
async function finished(
  closed: Promise<unknown>,
  connections: Connections,
  { work, log, graceMs }: Draining,
): Promise<void> {
  const cut = setTimeout(() => {
    log.warn('closing connections', { connections: connections.count, requests: work.count });
    connections.cut();
  }, graceMs * 0.9);
  let end: NodeJS.Timeout | undefined;
  const ended = new Promise<void>((resolve) => {
    end = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.all([closed, work.settled()]), ended]);
  clearTimeout(cut);
  clearTimeout(end);
  if (work.count > 0) log.warn('stopping before requests have finished', { requests: work.count });
}

/** Makes a server that enforces the limits of clients. */
function limitedServer(limits: ClientLimits): Server {
  return createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
    // Checked below instead, to refuse with an error envelope.
    requireHostHeader: false,
  });
}

function answerRequests(
  server: Server,
  app: ServedApp,
  connections: Connections,
  work: TrackedWork,
): void {
  const tracking = { work, connections, turns: new SharedTurns() };
  const answerAdapted = adaptedAnswers(app, tracking);
  const accept = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const exchanged = { incoming, outgoing };
    const start = (): void => {
      // Node.js drops data after an upgrade request, so the connection cannot be used again.
      if (incoming.headers.upgrade !== undefined) outgoing.setHeader('Connection', 'close');
      const isDirect =
        isMessageApp(app) && isOrdinary(incoming) && refusalOf(incoming) === undefined;
      void (isDirect ? answerDirectly(app, exchanged, tracking) : answerAdapted(exchanged));
    };
    const refuse = (): void => {
      writeWhole(stoppingAnswer(), exchanged);
      connections.answered(incoming);
    };
    connections.accept(incoming, outgoing, { start, refuse });
  };
  server.on('request', accept);
  // Ignore unknown expectations rather than refuse the request.
  server.on('checkExpectation', accept);
}

/** Shares one run among all callers; after a failure the next call starts another. */
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

/** Returns a URL for clients on this machine; wildcard addresses become loopback. */
export function urlOf(host: string, port: number): string {
  const reachable = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]).get(host);
  const name = reachable ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
