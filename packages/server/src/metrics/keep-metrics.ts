/** The state of a keep as Prometheus metrics, read when they are asked for. */
import type { Keep } from '@agentkeep/core';
import { CONTRACT_DOCUMENT_VERSION } from '@agentkeep/core';
import { type Runtime, runtimeOf } from '@agentkeep/core/transport';
import type { Gauge, Registry } from 'prom-client';
import type { Library } from './request-metrics.js';

/** Milliseconds for which the size of the store holds: a database is asked no more often. */
const SIZE_FRESH_MS = 5_000;

/** Metrics of one registry. */
interface Making {
  readonly library: Library;
  readonly register: Registry;
  readonly keep: Keep;
  readonly runtime: Runtime;
}

/** Registers the metrics of a keep. */
export function keepMetrics(library: Library, register: Registry, keep: Keep): void {
  const making = { library, register, keep, runtime: runtimeOf(keep) };
  stateMetrics(making);
  sizeMetrics(making);
  commitMetrics(making);
  cacheMetrics(making);
}

function stateMetrics(making: Making): void {
  const { keep, library, register } = making;
  const version = new library.Gauge({
    name: 'agentkeep_build_info',
    help: 'Always 1; the label has the version of the contract.',
    labelNames: ['version'],
    registers: [register],
  });
  version.set({ version: CONTRACT_DOCUMENT_VERSION }, 1);
  gauge(making, 'agentkeep_ready', 'Whether the store answers: 1 or 0.', async (own) => {
    own.set((await keep.isReady()) ? 1 : 0);
  });
  new library.Gauge({
    name: 'agentkeep_waiting',
    help: 'Lengths of the queues of the process; all are bounded, and 0 at rest.',
    labelNames: ['queue'],
    registers: [register],
    async collect() {
      for (const [queue, length] of Object.entries(await keep.waiting())) {
        this.set({ queue }, Number(length));
      }
    },
  });
}

function sizeMetrics(making: Making): void {
  const { runtime } = making;
  let asked: ReturnType<Runtime['backend']['stats']> | undefined;
  let askedMs = 0;
  const stats = () => {
    const nowMs = runtime.clock.monotonic();
    if (asked !== undefined && nowMs - askedMs < SIZE_FRESH_MS) return asked;
    askedMs = nowMs;
    asked = runtime.backend.stats();
    return asked;
  };
  /** Sets a gauge, or empties it while the store doesn't answer. */
  const fill = async (own: Gauge, member: 'entries' | 'sizeBytes'): Promise<void> => {
    try {
      own.set((await stats())[member]);
    } catch {
      own.remove();
    }
  };
  gauge(making, 'agentkeep_store_size_bytes', 'Bytes that the store takes on disk.', (own) =>
    fill(own, 'sizeBytes'),
  );
  gauge(making, 'agentkeep_store_entries', 'Entries of the store, of all kinds.', (own) =>
    fill(own, 'entries'),
  );
}

function commitMetrics(making: Making): void {
  const { backend } = making.runtime;
  if (backend.commits === undefined) return;
  const counts = () => backend.commits?.() ?? { commits: 0, bodies: 0, failures: 0 };
  total(making, 'agentkeep_commits_total', 'Commits of the store; writers share them.', () => {
    return counts().commits;
  });
  total(making, 'agentkeep_committed_transactions_total', 'Transactions in commits.', () => {
    return counts().bodies;
  });
  total(making, 'agentkeep_commit_failures_total', 'Commits that failed as a whole.', () => {
    return counts().failures;
  });
}

function cacheMetrics(making: Making): void {
  const cache = making.runtime.queryCache;
  if (cache === undefined) return;
  const { library, register } = making;
  gauge(making, 'agentkeep_query_cache_bytes', 'Memory that the query cache takes.', (own) => {
    own.set(cache.bytes);
  });
  gauge(making, 'agentkeep_query_cache_max_bytes', 'Most memory that it may take.', (own) => {
    own.set(cache.maxBytes);
  });
  new library.Counter({
    name: 'agentkeep_query_cache_parts_total',
    help: 'Parts of queries that the cache answered (hit) or that read the store (miss).',
    labelNames: ['result'],
    registers: [register],
    collect() {
      this.reset();
      this.inc({ result: 'hit' }, cache.hits);
      this.inc({ result: 'miss' }, cache.misses);
    },
  });
}

/** Registers a gauge that is set when it is read. */
function gauge(
  { library, register }: Making,
  name: string,
  help: string,
  collect: (own: Gauge) => void | Promise<void>,
): void {
  const own: Gauge = new library.Gauge({
    name,
    help,
    registers: [register],
    collect: () => collect(own),
  });
}

/** Registers a counter whose number is counted elsewhere. */
function total({ library, register }: Making, name: string, help: string, read: () => number) {
  new library.Counter({
    name,
    help,
    registers: [register],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
