/**
 * Measures servers whose database is far away: a relay adds a round trip of 1, 10 or 50 ms. What it
 * adds to a call of one caller is also given in round trips, which do not depend on the machine.
 */
import { distantServers } from './distant-servers.js';
import { median, type Reading } from './measure.js';
import type { PostgresWorkers } from './postgres-workers.js';

/** The amount of work. */
export interface DistanceLoad {
  readonly rounds: number;
  readonly delaysMs: readonly number[];
  readonly servers: readonly number[];
  readonly callers: number;
  /** Calls of a round. */
  readonly calls: Readonly<Record<Kind, number>>;
}

type Kind = 'commands' | 'reads' | 'recalls';

const FULL: DistanceLoad = {
  rounds: 3,
  delaysMs: [0, 1, 10, 50],
  servers: [2, 4],
  callers: 64,
  calls: { commands: 640, reads: 1_280, recalls: 48 },
};

const KINDS: readonly Kind[] = ['commands', 'reads', 'recalls'];
const SCOPES = 16;
const ALONE_CALLS = 12;

/** One reading for each kind of call, delay and number of servers. */
export async function* distanceBenchmarks(
  load: DistanceLoad = FULL,
): AsyncGenerator<Reading, void> {
  for await (const { servers, workers, relay } of distantServers(load.servers)) {
    // Makes what is read and recalled, at every server.
    await workers.rateOf({ kind: 'commands', callers: servers, total: 400, scopes: SCOPES });
    for (const kind of KINDS) {
      let nearMs = NaN;
      for (const delayMs of load.delaysMs) {
        relay.roundTripMs = delayMs;
        const { alone, many } = await measured(workers, { kind, load });
        if (delayMs === 0) nearMs = alone;
        const trips = delayMs === 0 ? {} : { round_trips: (alone - nearMs) / delayMs };
        yield {
          name: `${kind}, ${String(delayMs)} ms away, ${String(servers)} servers`,
          figures: { one_caller_ms: alone, ...trips, many_callers_per_second: many },
        };
      }
    }
  }
}

interface Setting {
  readonly kind: Kind;
  readonly load: DistanceLoad;
}

/** Returns the milliseconds of a call of one caller, and the calls of many in a second. */
async function measured(
  workers: PostgresWorkers,
  { kind, load }: Setting,
): Promise<{ alone: number; many: number }> {
  const { callers, calls, rounds } = load;
  const many: number[] = [];
  const alone: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const rate = await workers.rateOf({ kind, callers, total: calls[kind], scopes: SCOPES });
    const one = await workers.rateOf({ kind, callers: 1, total: ALONE_CALLS, scopes: SCOPES });
    if (round === 0) continue;
    many.push(rate);
    alone.push(1_000 / one);
  }
  return { alone: median(alone), many: median(many) };
}
