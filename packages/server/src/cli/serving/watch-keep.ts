/** Measures a keep that a command serves, if the options ask for it. */
import type { Keep } from '@agentkeep/core';
import { storeLevel } from '@agentkeep/core/operator';
import type { ServerOptions } from '../../http/create-server.js';
import { startMetricsServer } from '../../lifecycle/start-metrics-server.js';
import { openMetrics } from '../../metrics/open-metrics.js';
import type { MetricsSettings } from '../../options/read-options.js';

/** The metrics of a served keep. */
export interface WatchedKeep {
  /** The options by which the app measures, and shows the metrics itself. */
  readonly shown: Pick<ServerOptions, 'metrics' | 'metricsToken'>;
  /** The address of the metrics, if they have a port of their own. */
  readonly url: string | undefined;
  /** Reports that the server stops: it is no longer ready. */
  drain(): void;
  /** Closes the port of the metrics. */
  stop(): Promise<void>;
}

const unwatched: WatchedKeep = {
  shown: {},
  url: undefined,
  drain: () => undefined,
  stop: () => Promise.resolve(),
};

/**
 * Opens the metrics of a keep, and their port.
 * @throws {ListenError} when the address of the metrics is not available.
 */
export async function watchKeep(keep: Keep, places: MetricsSettings): Promise<WatchedKeep> {
  const { host, port, token } = places;
  // Nothing is measured, and the library isn't loaded, if nothing can read the metrics.
  if (port === undefined && token === undefined) return unwatched;
  const metrics = await openMetrics(keep, { measuresProcess: true });
  if (port === undefined) {
    const shown = { metrics, ...(token === undefined ? {} : { metricsToken: token }) };
    return { ...unwatched, shown };
  }
  let isStopping = false;
  const server = await startMetricsServer(metrics, {
    host,
    port,
    isReady: async () => !isStopping && (await keep.isReady()),
    levels: () => storeLevel.of(keep),
    ...(token === undefined ? {} : { token }),
  });
  return {
    shown: { metrics },
    url: server.url,
    drain: () => {
      isStopping = true;
    },
    stop: () => server.stop(),
  };
}
