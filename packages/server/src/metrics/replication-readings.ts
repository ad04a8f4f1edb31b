/** The readings of the copy that follows a data directory. */
import type { Keep, ReplicationStatus } from '@agentkeep/core';
import type { Reading } from './reading.js';

/** Returns none where nothing is copied. */
export function replicationReadings(keep: Keep): Reading[] {
  if (keep.replication() === undefined) return [];
  const read = (member: (status: ReplicationStatus) => number | undefined): Reading['samples'] => {
    return () => {
      const status = keep.replication();
      const value = status === undefined ? undefined : member(status);
      return Promise.resolve(value === undefined ? [] : [{ value }]);
    };
  };
  return [
    {
      name: 'agentkeep_replication_up',
      instrument: 'agentkeep.replication.up',
      kind: 'state',
      unit: '1',
      help: 'Whether the replication target takes commits: 1 or 0.',
      samples: read(({ state }) => (state === 'shipping' ? 1 : 0)),
    },
    {
      name: 'agentkeep_replication_lag_seconds',
      instrument: 'agentkeep.replication.lag',
      kind: 'state',
      unit: 's',
      help: 'Age of the oldest commit that the replication target lacks; 0 if it has all.',
      samples: read(({ lagMs }) => lagMs / 1_000),
    },
    {
      name: 'agentkeep_replication_lag_commits',
      instrument: 'agentkeep.replication.commit.waiting',
      kind: 'amount',
      unit: '{commit}',
      help: 'Commits that the replication target lacks.',
      samples: read(({ lagFrames }) => lagFrames),
    },
    {
      name: 'agentkeep_replication_copy_time_seconds',
      instrument: 'agentkeep.replication.copy.time',
      kind: 'state',
      unit: 's',
      help: 'Unix time of the newest base copy in the replication target.',
      samples: read(({ copyMs }) => (copyMs === undefined ? undefined : copyMs / 1_000)),
    },
    {
      name: 'agentkeep_replication_waiting_bytes',
      instrument: 'agentkeep.replication.waiting',
      kind: 'amount',
      unit: 'By',
      help: 'Bytes of the commits that wait for the replication target.',
      samples: read(({ lagBytes }) => lagBytes),
    },
  ];
}
