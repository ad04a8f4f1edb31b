/** The readings of a keep: one list for all monitoring systems. */
import type { Keep } from '@agentkeep/core';
import { isModelFailing, listSnapshots, runtimeOf, storeLevel } from '@agentkeep/core/operator';
import type { Reading, Sample } from './reading.js';
import { replicationReadings } from './replication-readings.js';

/** The services of a keep. */
type Runtime = ReturnType<typeof runtimeOf>;

/**
 * Milliseconds for which the size of the store is reused, so that a database is not asked more
 * often.
 */
const SIZE_FRESH_MS = 5_000;

/** Milliseconds for which the newest snapshot is reused. */
const SNAPSHOTS_FRESH_MS = 30_000;

/** The readings of a keep. */
export interface KeepReadings {
  readonly list: readonly Reading[];
  /** Whether the keep closes or is closed, so that nothing more can be read. */
  readonly hasEnded: () => boolean;
}

/** One list for each keep, so that a store is not asked twice for two monitoring systems. */
const known = new WeakMap<Keep, KeepReadings>();

/** Returns the readings of a keep. */
export function keepReadings(keep: Keep): KeepReadings {
  const found = known.get(keep);
  if (found !== undefined) return found;
  const runtime = runtimeOf(keep);
  const made = {
    list: [
      ...stateReadings(keep),
      ...sizeReadings(runtime),
      snapshotReading(keep, runtime),
      ...commitReadings(runtime),
      ...replicationReadings(keep),
      ...cacheReadings(keep),
      ...levelReadings(keep),
      ...backlogReadings(keep),
      ...modelReadings(keep),
    ],
    hasEnded: () => keep.isClosing,
  };
  known.set(keep, made);
  return made;
}

function stateReadings(keep: Keep): Reading[] {
  return [
    {
      name: 'agentkeep_ready',
      instrument: 'agentkeep.ready',
      kind: 'state',
      unit: '1',
      help: 'Whether the store answers: 1 or 0.',
      samples: async () => [{ value: (await keep.isReady()) ? 1 : 0 }],
    },
    {
      name: 'agentkeep_waiting',
      instrument: 'agentkeep.queue.length',
      kind: 'amount',
      unit: '{item}',
      help: 'Lengths of the queues of the process; all are bounded, and 0 at rest.',
      label: { name: 'queue', attribute: 'agentkeep.queue.name' },
      samples: async () => {
        const queues = Object.entries(await keep.waiting());
        return queues.map(([label, length]) => ({ label, value: Number(length) }));
      },
    },
  ];
}

function sizeReadings({ backend, clock }: Runtime): Reading[] {
  let asked: ReturnType<Runtime['backend']['stats']> | undefined;
  let askedMs = 0;
  const stats = () => {
    const nowMs = clock.monotonic();
    if (asked !== undefined && nowMs - askedMs < SIZE_FRESH_MS) return asked;
    askedMs = nowMs;
    asked = backend.stats();
    return asked;
  };
  /** Reads a member; returns none while the store doesn't answer. */
  const member = (name: 'entries' | 'sizeBytes') => async (): Promise<Sample[]> => {
    try {
      return [{ value: (await stats())[name] }];
    } catch {
      return [];
    }
  };
  return [
    {
      name: 'agentkeep_store_size_bytes',
      instrument: 'agentkeep.store.size',
      kind: 'amount',
      unit: 'By',
      help: 'Bytes that the store takes on disk.',
      samples: member('sizeBytes'),
    },
    {
      name: 'agentkeep_store_entries',
      instrument: 'agentkeep.store.entry.count',
      kind: 'amount',
      unit: '{entry}',
      help: 'Entries of the store, of all kinds.',
      samples: member('entries'),
    },
  ];
}

/** Returns none without a snapshot, or without a data directory. */
function snapshotReading(keep: Keep, { clock }: Runtime): Reading {
  let found: Promise<Sample[]> | undefined;
  let foundMs = 0;
  const read = async (): Promise<Sample[]> => {
    const { snapshots } = await listSnapshots(keep);
    return snapshots.slice(0, 1).map((each) => ({ value: Date.parse(each.created_at) / 1_000 }));
  };
  return {
    name: 'agentkeep_snapshot_time_seconds',
    instrument: 'agentkeep.snapshot.time',
    kind: 'state',
    unit: 's',
    help: 'Unix time of the newest complete snapshot in the data directory.',
    samples: () => {
      const nowMs = clock.monotonic();
      if (found === undefined || nowMs - foundMs >= SNAPSHOTS_FRESH_MS) {
        foundMs = nowMs;
        found = read().catch(() => []);
      }
      return found;
    },
  };
}

function commitReadings({ backend }: Runtime): Reading[] {
  if (backend.commits === undefined) return [];
  const counts = () => backend.commits?.() ?? { commits: 0, bodies: 0, failures: 0 };
  return [
    {
      name: 'agentkeep_commits_total',
      instrument: 'agentkeep.commits',
      kind: 'total',
      unit: '{commit}',
      help: 'Commits of the store; writers share them.',
      samples: one(() => counts().commits),
    },
    {
      name: 'agentkeep_committed_transactions_total',
      instrument: 'agentkeep.committed_transactions',
      kind: 'total',
      unit: '{transaction}',
      help: 'Transactions in commits.',
      samples: one(() => counts().bodies),
    },
    {
      name: 'agentkeep_commit_failures_total',
      instrument: 'agentkeep.commit_failures',
      kind: 'total',
      unit: '{commit}',
      help: 'Commits that failed as a whole.',
      samples: one(() => counts().failures),
    },
  ];
}

function cacheReadings({ queryCache: cache }: Keep): Reading[] {
  if (cache === undefined) return [];
  return [
    {
      name: 'agentkeep_query_cache_bytes',
      instrument: 'agentkeep.query_cache.usage',
      kind: 'amount',
      unit: 'By',
      help: 'Memory that the query cache takes.',
      samples: one(() => cache.bytes),
    },
    {
      name: 'agentkeep_query_cache_max_bytes',
      instrument: 'agentkeep.query_cache.limit',
      kind: 'amount',
      unit: 'By',
      help: 'Most memory that it may take.',
      samples: one(() => cache.maxBytes),
    },
    {
      name: 'agentkeep_query_cache_parts_total',
      instrument: 'agentkeep.query_cache.parts',
      kind: 'total',
      unit: '{part}',
      help: 'Parts of queries that the cache answered (hit) or that read the store (miss).',
      label: { name: 'result', attribute: 'agentkeep.query_cache.result' },
      samples: () =>
        Promise.resolve([
          { label: 'hit', value: cache.hits },
          { label: 'miss', value: cache.misses },
        ]),
    },
  ];
}

/** Reads from memory what the last sign of life found. */
function levelReadings(keep: Keep): Reading[] {
  return [
    {
      name: 'agentkeep_store_level',
      instrument: 'agentkeep.store.level',
      kind: 'state',
      unit: '1',
      help: 'Feature level of the store.',
      samples: one(() => storeLevel.of(keep).level),
    },
    {
      name: 'agentkeep_newest_level',
      instrument: 'agentkeep.newest_level',
      kind: 'state',
      unit: '1',
      help: 'Highest feature level that this version supports.',
      samples: one(() => storeLevel.of(keep).newest_level),
    },
    {
      name: 'agentkeep_servers',
      instrument: 'agentkeep.server.count',
      kind: 'state',
      unit: '{server}',
      help: 'Servers that have the store open, by version, as this one last saw them.',
      label: { name: 'version', attribute: 'service.version' },
      samples: () => {
        const counts = new Map<string, number>();
        for (const { version } of storeLevel.of(keep).servers) {
          counts.set(version, (counts.get(version) ?? 0) + 1);
        }
        return Promise.resolve([...counts].map(([label, value]) => ({ label, value })));
      },
    },
  ];
}

/** Reads from memory what was counted last; returns none before that. */
function backlogReadings(keep: Keep): Reading[] {
  const read = (
    member: (backlog: NonNullable<ReturnType<Keep['backlog']>>) => number,
  ): Reading['samples'] => {
    return () => {
      const backlog = keep.backlog();
      return Promise.resolve(backlog === undefined ? [] : [{ value: member(backlog) }]);
    };
  };
  return [
    {
      name: 'agentkeep_proposals_waiting',
      instrument: 'agentkeep.proposal.waiting',
      kind: 'amount',
      unit: '{proposal}',
      help: 'Proposals of memory in the store that wait for a review.',
      samples: read(({ proposals }) => proposals),
    },
    {
      name: 'agentkeep_consumer_lag_seconds',
      instrument: 'agentkeep.consumer.lag',
      kind: 'state',
      unit: 's',
      help: 'Age of the oldest change that a consumer has not committed; 0 if all have all.',
      samples: read(({ consumerLagMs }) => consumerLagMs / 1_000),
    },
    {
      name: 'agentkeep_webhooks_waiting',
      instrument: 'agentkeep.webhook.waiting',
      kind: 'amount',
      unit: '{webhook}',
      help: 'Webhooks in the store whose last attempt failed and that wait for the next one.',
      samples: read(({ webhooks }) => webhooks),
    },
  ];
}

/** Returns none where the keep makes no embeddings. */
function modelReadings(keep: Keep): Reading[] {
  if (isModelFailing(keep) === undefined) return [];
  return [
    {
      name: 'agentkeep_model_up',
      instrument: 'agentkeep.model.up',
      kind: 'state',
      unit: '1',
      help: 'Whether the model of embeddings worked when it was asked last: 1 or 0.',
      samples: one(() => (isModelFailing(keep) === true ? 0 : 1)),
    },
  ];
}

/** Reads one number from memory. */
function one(read: () => number): Reading['samples'] {
  return () => Promise.resolve([{ value: read() }]);
}
