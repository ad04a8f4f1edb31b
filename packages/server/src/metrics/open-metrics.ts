/** Opens the metrics of a keep with the library that formats them. */
import { CONTRACT_DOCUMENT_VERSION, type Keep } from '@agentkeep/core';
import type { Registry } from 'prom-client';
import { keepReadings } from './keep-readings.js';
import type { Metrics } from './metrics.js';
import { showReadings } from './prometheus-readings.js';
import { type Library, requestMetrics } from './request-metrics.js';

/** Further measurements beside a keep and its requests. */
export interface MetricsOptions {
  /**
   * Whether to measure the process too: time of the processor, memory, delay of the event loop,
   * garbage collection. Default: false, for a program that measures itself.
   */
  readonly measuresProcess?: boolean;
}

/**
 * Returns the metrics of a keep, for `createServer` to fill and for Prometheus to read. No label
 * names a tenant, a person, a credential or a path.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { createServer, openMetrics } from '@agentkeep/server';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const metrics = await openMetrics(keep);
 * const app = createServer(keep, { metrics });
 * await app.request('/health');
 * const text = await metrics.text();
 * if (!text.includes('agentkeep_requests_total{operation="getHealth",status="2xx"} 1')) {
 *   throw new Error('unexpected');
 * }
 * ```
 */
export async function openMetrics(
  keep: Keep,
  { measuresProcess = false }: MetricsOptions = {},
): Promise<Metrics> {
  const library = await import('prom-client');
  const register = new library.Registry();
  const meter = requestMetrics(library, register);
  showVersion(library, register);
  showReadings(library, register, keepReadings(keep).list);
  if (measuresProcess) library.collectDefaultMetrics({ register });
  let pending: Promise<string> | undefined;
  return {
    ...meter,
    contentType: register.contentType,
    text: () => {
      pending ??= register.metrics().finally(() => {
        pending = undefined;
      });
      return pending;
    },
  };
}

function showVersion({ Gauge }: Library, register: Registry): void {
  const version = new Gauge({
    name: 'agentkeep_build_info',
    help: 'Always 1; the label has the version of the contract.',
    labelNames: ['version'],
    registers: [register],
  });
  version.set({ version: CONTRACT_DOCUMENT_VERSION }, 1);
}
