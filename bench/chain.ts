/**
 * Measures whether the audit chain of a tenant keeps up with its servers: they write at the same
 * time, as single commands and in batches, and each record is one event. An event that waits is
 * stored by one transaction at a time.
 */
import { distantServers } from './distant-servers.js';
import { median, type Reading } from './measure.js';
import type { PostgresWorkers } from './postgres-workers.js';

/** The amount of work. */
export interface ChainLoad {
  readonly rounds: number;
  readonly delaysMs: readonly number[];
  readonly servers: readonly number[];
  readonly callers: number;
  /** Records of a round, of all servers together. */
  readonly records: Readonly<Record<Kind, number>>;
}

type Kind = 'commands' | 'batches';

const FULL: ChainLoad = {
  rounds: 3,
  delaysMs: [0, 50],
  servers: [2, 4],
  callers: 64,
  records: { commands: 2_048, batches: 2_048 },
};

const SCOPES = 16;

/** One reading for each kind of write, delay and number of servers. */
export async function* chainBenchmarks(load: ChainLoad = FULL): AsyncGenerator<Reading, void> {
  for await (const { servers, workers, relay } of distantServers(load.servers)) {
    for (const kind of ['commands', 'batches'] as const) {
      for (const delayMs of load.delaysMs) {
        relay.roundTripMs = delayMs;
        yield {
          name: `audit chain, ${kind}, ${String(delayMs)} ms away, ${String(servers)} servers`,
          figures: await measured(workers, { kind, servers, load }),
        };
      }
    }
  }
}

interface Setting {
  readonly kind: Kind;
  readonly servers: number;
  readonly load: ChainLoad;
}

/** Returns the records a second until they are answered, and until their events are stored. */
async function measured(
  workers: PostgresWorkers,
  { kind, servers, load }: Setting,
): Promise<Reading['figures']> {
  const total = load.records[kind];
  const callers = kind === 'batches' ? servers * 4 : load.callers;
  const answered: number[] = [];
  const stored: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= load.rounds; round += 1) {
    const job = { callers, total, scopes: SCOPES };
    const rate = await workers.rateOf({ kind, ...job });
    const later = await workers.rateOf({ kind: 'stored events', ...job });
    if (round === 0) continue;
    answered.push(rate);
    stored.push(1 / (1 / rate + 1 / later));
  }
  return {
    answered_per_second: median(answered),
    events_stored_per_second: median(stored),
  };
}
