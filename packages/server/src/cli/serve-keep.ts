/** Opens a keep, serves it until a stop signal, and closes it. */
import { resolve } from 'node:path';
import type { AgentkeepError, Keep } from '@agentkeep/core';
import { recordShutdown, recordStartup } from '@agentkeep/core/operator';
import { type AgentkeepApp, createServer } from '../http/create-server.js';
import { type RunningServer, startServer } from '../lifecycle/start-server.js';
import { listenForStopSignals, type StopSignals } from '../lifecycle/stop-signals.js';
import { type Logger, jsonLogger } from '../log/logger.js';
import { readKeyFiles } from '../options/read-key-files.js';
import type { ServiceOptions } from '../options/read-options.js';
import { CommandError } from './command-error.js';
import { databaseAdvice } from './database-advice.js';
import { openConfigured } from './open-store.js';

/** Runs once the server listens. */
export type Started = (keep: Keep, url: string) => Promise<void>;

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
  const keep = await openConfigured(options, {
    audit: options.audit,
    tokens: readKeyFiles(options.tokens),
    sessions: { idleSeconds: options.sessionIdleSeconds },
    onFatal: fatal.report,
  });
  const server = await startOrClose(keep, options, log);
  const { storeUrl } = options;
  const advice = storeUrl === undefined ? undefined : databaseAdvice(storeUrl, process.env);
  if (advice !== undefined) log.warn('database connection is not verified', { advice });
  log.info('listening', { url: server.url, ...placesOf(options) });
  try {
    await started(keep, server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const signal = await Promise.race([stopping, fatal.failed]);
  log.info('stopping', { signal });
  await Promise.race([server.stop(), fatal.failed]);
}

/** Returns where the server keeps its data and audit files. */
function placesOf({ dataDir, storeUrl, audit }: ServiceOptions): Readonly<Record<string, string>> {
  const { enabled = true, logPath } = audit;
  return {
    data_dir: resolve(dataDir),
    ...(storeUrl === undefined ? {} : { store_url: storeUrl }),
    ...(enabled && logPath !== undefined ? { audit_log_path: resolve(logPath) } : {}),
  };
}

async function startOrClose(
  keep: Keep,
  options: ServiceOptions,
  log: Logger,
): Promise<RunningServer> {
  const { host, port, trustedProxies, connectionsPerAddress, stopGraceSeconds } = options;
  const startedMs = performance.now();
  try {
    await recordStartup(keep, options.securitySettings);
    const release = (): Promise<void> => closeKeep(keep, startedMs);
    return await startServer(appOf(keep, options, log), {
      host,
      port,
      log,
      release,
      limits: { connectionsPerAddress },
      stopGraceMs: stopGraceSeconds * 1_000,
      ...(trustedProxies === undefined ? {} : { trustedProxies }),
    });
  } catch (error) {
    await keep.close();
    throw error;
  }
}

/** Records the shutdown as the last event, then closes. */
async function closeKeep(keep: Keep, startedMs: number): Promise<void> {
  try {
    await recordShutdown(keep, Math.floor((performance.now() - startedMs) / 1_000));
  } finally {
    await keep.close();
  }
}

function appOf(
  keep: Keep,
  { adminOrigin, trustedProxies }: ServiceOptions,
  log: Logger,
): AgentkeepApp {
  return createServer(keep, {
    log,
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
