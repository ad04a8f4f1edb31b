/**
 * Measures servers whose database is far away: a relay adds a round trip of 1, 10 or 50 ms. Each
 * figure of one caller is also given in round trips, which do not depend on the machine.
 */
import { postgresStore } from '@agentkeep/postgres';
import { DelayingRelay } from '@agentkeep/testkit/delaying-relay';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { everywhere, keepWithAgent } from './fixture.js';
import { median, type Reading } from './measure.js';
import { PostgresWorkers } from './postgres-workers.js';

/** The amount of work. */
export interface DistanceLoad {
  readonly rounds: number;
  readonly delaysMs: readonly number[];
  readonly servers: readonly number[];
  readonly callers: number;
  /** Calls per caller and round. */
  readonly perCaller: number;
}

const FULL: DistanceLoad = {
  rounds: 3,
  delaysMs: [0, 1, 10, 50],
  servers: [2, 4],
  callers: 64,
  perCaller: 10,
};

const KINDS = ['commands', 'reads', 'recalls'] as const;
const SCOPES = 16;
const ALONE_CALLS = 12;

/** One reading for each kind of call, delay and number of servers. */
export async function* distanceBenchmarks(
  load: DistanceLoad = FULL,
): AsyncGenerator<Reading, void> {
  const bin = findPostgres();
  if (bin === undefined) {
    console.log('Distances were not measured: the programs of PostgreSQL are not installed.');
    return;
  }
  for (const servers of load.servers) {
    const database = await PostgresServer.start(bin, { fsync: 'on' });
    try {
      await using relay = await DelayingRelay.before(database.url);
      const first = await keepWithAgent({ store: postgresStore(database) }, everywhere);
      await first.keep.close();
      const url = relay.urlOf(database.url);
      await using workers = await PostgresWorkers.start(url, first.secret, servers);
      // Makes what is read and recalled, at every server.
      await workers.rateOf({ kind: 'commands', callers: servers, total: 400, scopes: SCOPES });
      for (const delayMs of load.delaysMs) {
        relay.roundTripMs = delayMs;
        for (const kind of KINDS) yield await measured(workers, relay, { kind, servers, load });
      }
      relay.roundTripMs = 0;
    } finally {
      await database.stop();
    }
  }
}

interface Setting {
  readonly kind: (typeof KINDS)[number];
  readonly servers: number;
  readonly load: DistanceLoad;
}

async function measured(
  workers: PostgresWorkers,
  relay: DelayingRelay,
  { kind, servers, load }: Setting,
): Promise<Reading> {
  const { callers, perCaller, rounds } = load;
  const many: number[] = [];
  const alone: number[] = [];
  const trips: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const total = callers * perCaller;
    const rate = await workers.rateOf({ kind, callers, total, scopes: SCOPES });
    const before = relay.exchanges;
    const one = await workers.rateOf({ kind, callers: 1, total: ALONE_CALLS, scopes: SCOPES });
    if (round === 0) continue;
    trips.push((relay.exchanges - before) / ALONE_CALLS);
    many.push(rate);
    alone.push(1_000 / one);
  }
  return {
    name: `${kind}, ${String(relay.roundTripMs)} ms away, ${String(servers)} servers`,
    figures: {
      one_caller_ms: median(alone),
      round_trips: median(trips),
      [`of_${String(callers)}_callers_per_second`]: median(many),
    },
  };
}
