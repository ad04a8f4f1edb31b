/** Serves metrics and probes on a port of their own. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerProbe, type LevelReport, type Probe, probePaths } from '../http/probes.js';
import { type Metrics, METRICS_PATH } from '../metrics/metrics.js';
import { type MetricsCheck, metricsCheck } from '../metrics/metrics-token.js';
import { listen } from './listen.js';
import { urlOf } from './start-server.js';

/** The address of the metrics, and the check of their readers. */
export interface MetricsServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The secret that a reader sends as a Bearer token. Default: none is needed. */
  readonly token?: string;
  /** Answers `/readyz`; without it, that path is unknown. */
  readonly isReady?: () => Promise<boolean>;
  /**
   * Returns what `/readyz` adds for those who may read the metrics: the level of the store with its
   * servers, as `storeLevel.of()`. Default: nothing.
   */
  readonly levels?: () => LevelReport;
}

/** A server of metrics that is listening. */
export interface RunningMetrics {
  /** The URL of the metrics, for a reader on this machine. */
  readonly url: string;
  readonly port: number;
  /** Closes all connections. */
  stop(): Promise<void>;
}

/** Most open connections: enough for a few scrapers. */
const CONNECTIONS_MAX = 64;
const REQUEST_MS = 5_000;
const IDLE_MS = 65_000;
const HEADER_BYTES_MAX = 8_192;

/**
 * Serves `GET /metrics`, `/livez` and `/readyz`, and nothing else.
 * @throws {ListenError} when the address is not available.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { openMetrics, startMetricsServer } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const metrics = await openMetrics(keep);
 * const server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 });
 * const response = await fetch(server.url);
 * await response.text();
 * await server.stop();
 * if (response.status !== 200) throw new Error('unexpected');
 * ```
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  { host, port, token, isReady, levels }: MetricsServerOptions,
): Promise<RunningMetrics> {
  const check = token === undefined ? undefined : metricsCheck(token);
  const server = boundedServer((incoming, outgoing) => {
    // A body is not needed. The limit on the time of a request ends one that never completes.
    incoming.resume();
    answerTo(incoming, { metrics, check, isReady, levels }).then(
      (answer) => {
        send(answer, outgoing);
      },
      () => {
        send(plain(500, 'The metrics cannot be read.'), outgoing);
      },
    );
  });
  await listen(server, { host, port });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `${urlOf(host, taken)}${METRICS_PATH}`,
    port: taken,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function boundedServer(
  accept: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server {
  const limits = {
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: REQUEST_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
  };
  const server = createServer(limits, accept);
  server.maxConnections = CONNECTIONS_MAX;
  // Also ends connections whose clients don't read.
  server.timeout = IDLE_MS;
  return server;
}

interface Serving {
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  readonly check: MetricsCheck | undefined;
  readonly isReady: (() => Promise<boolean>) | undefined;
  readonly levels: (() => LevelReport) | undefined;
}

interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function answerTo(
  { method, url = '', headers }: IncomingMessage,
  { metrics, check, isReady, levels }: Serving,
): Promise<PlainAnswer> {
  const path = url.split('?', 1)[0] ?? '';
  const probe = (Object.keys(probePaths) as Probe[]).find((each) => probePaths[each] === path);
  const hasProbe = probe === 'live' || (probe === 'ready' && isReady !== undefined);
  if (path !== METRICS_PATH && !hasProbe) return plain(404, 'Not found.');
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Use GET.', { Allow: 'GET, HEAD' });
  const isReader = check === undefined || check(headers.authorization);
  if (probe !== undefined) {
    const ready = isReady ?? (() => Promise.resolve(true));
    const { status, body } = await answerProbe(probe, ready, isReader ? levels : undefined);
    return { status, headers: { 'Content-Type': 'application/json' }, body };
  }
  if (!isReader) {
    return plain(401, 'A Bearer token is needed.', { 'WWW-Authenticate': 'Bearer' });
  }
  const body = await metrics.text();
  return { status: 200, headers: { 'Content-Type': metrics.contentType }, body };
}

function plain(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return { status, headers: { 'Content-Type': 'text/plain', ...headers }, body: `${text}\n` };
}

function send({ status, headers, body }: PlainAnswer, outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, {
    ...headers,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
  });
  // Node.js omits the body of an answer to HEAD.
  outgoing.end(body);
}
