/** Opens a keep, serves it until a stop signal, and closes it. */
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { AgentkeepError, type Keep } from '@agentkeep/core';
import { recordShutdown, recordStartup } from '@agentkeep/core/operator';
import { ConsoleLinks } from '../../console/console-links.js';
import { type AgentkeepApp, createServer } from '../../http/create-server.js';
import type { McpMount } from '../../http/mcp-answer.js';
import { type RunningServer, startServer } from '../../lifecycle/start-server.js';
import { tryAddress } from '../../lifecycle/try-address.js';
import { listenForStopSignals, type StopSignals } from '../../lifecycle/stop-signals.js';
import { type Logger, jsonLogger } from '../../log/logger.js';
import { readKeyFiles } from '../../options/read-key-files.js';
import type { ServiceOptions } from '../../options/read-options.js';
import { hasOpenTelemetry, openTracing } from '../../tracing/open-tracing.js';
import type { Tracing } from '../../tracing/tracing.js';
import { openidProtocol } from '../../openid/openid-protocol.js';
import { httpDocumentFetcher } from '../../outgoing/http-document-fetcher.js';
import { httpWebhookSender } from '../../webhooks/http-webhook-sender.js';
import { CommandError } from '../command/command-error.js';
import { databaseAdvice } from '../output/database-advice.js';
import { importMcp } from '../command/import-mcp.js';
import { openConfigured } from '../store/open-store.js';
import { serverModel } from './server-model.js';
import { type WatchedKeep, watchKeep } from './watch-keep.js';

/** Runs once the server listens. `links` sign in to the console, if it is served. */
export type Started = (keep: Keep, url: string, links?: ConsoleLinks) => Promise<void>;

/**
 * Serves until SIGINT or SIGTERM, then finishes accepted requests and flushes the store. A second
 * signal ends it at once.
 * @throws {AgentkeepError} when the directory cannot be opened, or as soon as the store becomes
 * unusable; `ListenError` when the address is not available; `InvalidOptionsError` for files
 * without keys; `CommandError` at a second signal.
 */
export async function serveKeep(
  options: ServiceOptions,
  writeLog: (text: string) => void,
  started: Started = () => Promise.resolve(),
): Promise<void> {
  const log = jsonLogger({ level: options.logLevel, write: writeLog });
  using signals = listenForStopSignals();
  await Promise.race([serveUntil(signals.first, { options, log, started }), endAtOnce(signals)]);
}

async function endAtOnce({ second }: StopSignals): Promise<never> {
  const signal = await second;
  throw new CommandError(
    `A second signal (${signal}) ended the server before accepted requests had finished. ` +
      'What was acknowledged is stored.',
  );
}

interface Serving {
  readonly options: ServiceOptions;
  readonly log: Logger;
  readonly started: Started;
}

async function serveUntil(
  stopping: Promise<NodeJS.Signals>,
  { options, log, started }: Serving,
): Promise<void> {
  const fatal = fatalFailure(log);
  // Otherwise a server that cannot listen would leave a new store behind.
  if (isEmptyOrAbsent(options.dataDir)) await tryAddresses(options);
  const model = options.meaning ? await serverModel(log) : undefined;
  const keep = await openConfigured(options, {
    audit: options.audit,
    tokens: readKeyFiles(options.tokens),
    sessions: { idleSeconds: options.sessionIdleSeconds },
    ...(options.snapshots === undefined ? {} : { snapshots: options.snapshots }),
    raiseLevel: options.raiseLevel,
    webhookSender: httpWebhookSender({ allowedAddresses: options.webhookAddresses }),
    documentFetcher: httpDocumentFetcher({ allowedAddresses: options.issuerAddresses }),
    signInProtocol: openidProtocol({ allowedAddresses: options.issuerAddresses }),
    ...(model === undefined ? {} : { textEmbedder: model.textEmbedder }),
    onFatal: fatal.report,
  });
  const server = await startOrClose(keep, options, log);
  const { metricsUrl } = server;
  const { storeUrl } = options;
  const advice = storeUrl === undefined ? undefined : databaseAdvice(storeUrl, process.env);
  if (advice !== undefined) log.warn('database connection is not verified', { advice });
  const metrics = metricsUrl === undefined ? {} : { metrics_url: metricsUrl };
  log.info('listening', { url: server.url, ...metrics, ...placesOf(options) });
  try {
    await started(keep, server.url, server.links);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const signal = await Promise.race([stopping, fatal.failed]);
  log.info('stopping', { signal });
  await Promise.race([server.stop(), fatal.failed]);
  await model?.close();
}

async function tryAddresses({ host, port, metrics }: ServiceOptions): Promise<void> {
  await tryAddress({ host, port });
  if (metrics.port !== undefined) await tryAddress({ host: metrics.host, port: metrics.port });
}

function isEmptyOrAbsent(directory: string): boolean {
  return !existsSync(directory) || readdirSync(directory).length === 0;
}

/** Returns the locations of data and audit files. */
function placesOf({ dataDir, storeUrl, audit }: ServiceOptions): Readonly<Record<string, string>> {
  const { enabled = true, logPath } = audit;
  return {
    data_dir: resolve(dataDir),
    ...(storeUrl === undefined ? {} : { store_url: storeUrl }),
    ...(enabled && logPath !== undefined ? { audit_log_path: resolve(logPath) } : {}),
  };
}

/** A server of a keep, and of its metrics if they have a port of their own. */
interface ServedKeep extends RunningServer {
  readonly metricsUrl: string | undefined;
  /** Links that sign in to the console, if it is served. */
  readonly links: ConsoleLinks | undefined;
}

async function startOrClose(keep: Keep, options: ServiceOptions, log: Logger): Promise<ServedKeep> {
  const startedMs = performance.now();
  try {
    await unlessFull(recordStartup(keep, options.securitySettings), (error) => {
      const advice = 'What is stored can be read. Free some space; then writes go on.';
      log.warn('the start was not recorded, because the disk is full', { error, advice });
    });
    return await startServers(keep, options, { log, startedMs });
  } catch (error) {
    await keep.close();
    throw error;
  }
}

/** Serves metrics first and last, so that they cover the whole time of serving. */
async function startServers(
  keep: Keep,
  options: ServiceOptions,
  { log, startedMs }: { readonly log: Logger; readonly startedMs: number },
): Promise<ServedKeep> {
  const { host, port, trustedProxies, connectionsPerAddress, stopGraceSeconds } = options;
  const watched = await watchKeep(keep, options.metrics);
  try {
    const tracing = hasOpenTelemetry() ? await openTracing() : undefined;
    const mcp = options.mcp === undefined ? undefined : (await importMcp()).mcpMount(options.mcp);
    const links = options.console ? new ConsoleLinks() : undefined;
    const app = appOf(keep, options, { log, watched, tracing, mcp, links });
    const server = await startServer(app, {
      host,
      port,
      log,
      release: async () => {
        await closeKeep(keep, startedMs);
        await watched.stop();
      },
      limits: { connectionsPerAddress },
      stopGraceMs: stopGraceSeconds * 1_000,
      ...(trustedProxies === undefined ? {} : { trustedProxies }),
    });
    const stop = (): Promise<void> => {
      watched.drain();
      return server.stop();
    };
    return { url: server.url, port: server.port, stop, metricsUrl: watched.url, links };
  } catch (error) {
    await watched.stop();
    throw error;
  }
}

/** Waits for a record that a full disk may refuse. */
async function unlessFull(
  recording: Promise<void>,
  onFull: (error: AgentkeepError) => void = () => undefined,
): Promise<void> {
  await recording.catch((error: unknown) => {
    if (!(error instanceof AgentkeepError && error.code === 'store_full')) throw error;
    onFull(error);
  });
}

/** Records the shutdown as the last event, then closes. */
async function closeKeep(keep: Keep, startedMs: number): Promise<void> {
  try {
    await unlessFull(recordShutdown(keep, Math.floor((performance.now() - startedMs) / 1_000)));
  } finally {
    await keep.close();
  }
}

/** The parts of an app beside its keep: observers of its requests, MCP and the console. */
interface Watching {
  readonly log: Logger;
  readonly watched: WatchedKeep;
  readonly tracing: Tracing | undefined;
  readonly mcp: McpMount | undefined;
  readonly links: ConsoleLinks | undefined;
}

function appOf(
  keep: Keep,
  { adminOrigin, trustedProxies, frontDoor, keyProofOrigins, programAddresses }: ServiceOptions,
  { log, watched, tracing, mcp, links }: Watching,
): AgentkeepApp {
  const documentFetcher = httpDocumentFetcher({ allowedAddresses: programAddresses });
  return createServer(keep, {
    log,
    ...(tracing === undefined ? {} : { tracing }),
    ...(mcp === undefined ? {} : { mcp }),
    ...(links === undefined ? {} : { console: { links } }),
    ...(frontDoor === undefined ? {} : { frontDoor: { ...frontDoor, documentFetcher } }),
    ...(keyProofOrigins === undefined ? {} : { keyProofOrigins }),
    ...watched.shown,
    ...(adminOrigin === undefined ? {} : { adminOrigin }),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
  });
}

/** A promise that rejects once the store is unusable; nothing can be finished or flushed then. */
function fatalFailure(log: Logger): {
  readonly report: (error: AgentkeepError) => void;
  readonly failed: Promise<never>;
} {
  let fail: (error: AgentkeepError) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  // Avoids an unhandled rejection before the promise is awaited.
  failed.catch(() => undefined);
  return {
    failed,
    report: (error) => {
      log.error('the store is unusable until the next start', { error });
      fail(error);
    },
  };
}
