/** The metrics of a directory that follows a replication target. */
import type { Follower } from '@agentkeep/core/operator';
import type { Metrics } from './metrics.js';
import { showReadings } from './prometheus-readings.js';
import type { Reading } from './reading.js';

/** Returns the metrics of a follower, for Prometheus to read. */
export async function openFollowerMetrics(
  follower: Follower,
): Promise<Pick<Metrics, 'contentType' | 'text'>> {
  const library = await import('prom-client');
  const register = new library.Registry();
  showReadings(library, register, readingsOf(follower));
  return { contentType: register.contentType, text: () => register.metrics() };
}

function readingsOf(follower: Follower): Reading[] {
  const read = (member: () => number): Reading['samples'] => {
    return () => Promise.resolve([{ value: member() }]);
  };
  return [
    {
      name: 'agentkeep_follower_up',
      instrument: 'agentkeep.follower.up',
      kind: 'state',
      unit: '1',
      help: 'Whether the directory follows the replication target: 1 or 0.',
      samples: read(() => (follower.status.status === 'following' ? 1 : 0)),
    },
    {
      name: 'agentkeep_follower_lag_seconds',
      instrument: 'agentkeep.follower.lag',
      kind: 'state',
      unit: 's',
      help: 'Time since the directory had all that the replication target had.',
      samples: read(() => follower.status.lag_millis / 1_000),
    },
    {
      name: 'agentkeep_follower_position',
      instrument: 'agentkeep.follower.position',
      kind: 'state',
      unit: '{commit}',
      help: 'Number of the last commit that the directory has.',
      samples: read(() => follower.status.position),
    },
  ];
}
