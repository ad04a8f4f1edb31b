/**
 * Proof: under mixed load at full speed, resources stay bounded.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Chooser } from '../fuzz/chooser.js';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { procedureIds } from '../workload/crew.js';
import { propose } from '../workload/learning-work.js';
import {
  type Gauge,
  QUEUES,
  readGauges,
  type Reading,
  requireProcessFiles,
  TOLERANCES,
} from './gauges.js';
import { Player, type Scene } from './load.js';
import { SoakedServer } from './soaked-server.js';
import { isFlat, tendencyOf, type Tolerance } from './tendency.js';

/** Duration of the load, interval of the readings, and extra tolerance of a short run. */
const SCALES = {
  short: { seconds: 8, readEveryMs: 200, snapshots: 1, slack: 4 },
  full: { seconds: 270, readEveryMs: 2_000, snapshots: 4, slack: 1 },
} as const;

const PLAYERS = 12;
/** Time after the load for pending work to finish. */
const REST_MS = 2_000;
/** Most such times: at the end of a minute, repeated events are summed up and wait for a second. */
const RESTS_MAX = 3;
const PASSWORD = 'Correct-Horse-7';

/** Runs a server under mixed load and checks that no gauge rises. */
export const soak: ProofProgram = {
  name: 'soak',
  claim:
    'Under mixed load at full speed, memory, handles, queues, the event loop and the data file ' +
    'stay within bounds.',
  measures: true,
  run: runSoak,
};

async function runSoak(run: ProofRun): Promise<Finding> {
  requireProcessFiles();
  await using server = await SoakedServer.open();
  const players = await assemble(server, run.seed);
  const evaluations = (): number => players.reduce((sum, { evaluations: own }) => sum + own, 0);
  const subject = { ...server.subject, uncounted: evaluations };
  const violations: string[] = [];
  const readings = await underLoad(run, { server, players, violations }, () => readGauges(subject));
  const after = await atRest(() => readGauges(subject));
  violations.push(
    ...risesIn(readings, SCALES[run.scale].slack),
    ...leftBehind(readings, after),
    ...leftWaiting(after),
    ...(await server.stopAndTryAgain()),
  );
  const mostWaiting = Math.max(...readings.map(waitingIn));
  if (mostWaiting === 0) violations.push('All queues were always empty, so they were not tested.');
  const calls = players.reduce((sum, player) => sum + player.calls, 0);
  return {
    done: {
      calls,
      readings: readings.length,
      snapshots: SCALES[run.scale].snapshots,
      'most waiting': mostWaiting,
    },
    violations,
  };
}

/** Reads the gauges once no queue holds work, or after the longest rest. */
async function atRest(read: () => Promise<Reading>): Promise<Reading> {
  for (let rests = 1; ; rests += 1) {
    await sleep(REST_MS);
    const after = await read();
    if (rests === RESTS_MAX || leftWaiting(after).length === 0) return after;
  }
}

async function assemble({ url, parties }: SoakedServer, seed: number): Promise<Player[]> {
  const scene: Scene = { url, parties, password: PASSWORD };
  const players: Player[] = [];
  for (let at = 0; at < PLAYERS; at += 1) {
    const name = `player-${at}`;
    const procedureId = `${procedureIds[0]}-${at}`;
    await parties.root.users.create({ username: name, password: PASSWORD });
    await propose(parties.judge, procedureId);
    players.push(new Player(scene, name, procedureId, new Chooser(seed + at)));
  }
  return players;
}

interface Soaking {
  readonly server: SoakedServer;
  readonly players: readonly Player[];
  readonly violations: string[];
}

/** Runs all players, and reads the gauges meanwhile. */
async function underLoad(
  run: ProofRun,
  { server, players, violations }: Soaking,
  read: () => Promise<Reading>,
): Promise<Reading[]> {
  const { seconds, readEveryMs, snapshots } = SCALES[run.scale];
  const { root } = server.parties;
  let isOver = false;
  const playing = players.map(async (player) => {
    while (!isOver) await player.turn();
  });
  // A player that fails is reported at the end; the others continue.
  const played = Promise.allSettled(playing);
  const readings: Reading[] = [];
  const startedMs = performance.now();
  const elapsed = (): number => (performance.now() - startedMs) / (seconds * 1_000);
  for (let made = 0; elapsed() < 1;) {
    await sleep(readEveryMs);
    readings.push(await read());
    run.report(`${Math.round(elapsed() * seconds)} of ${seconds} seconds`);
    if (elapsed() < (made + 0.5) / snapshots) continue;
    await root.snapshots.create();
    made += 1;
  }
  isOver = true;
  for (const end of await played) {
    if (end.status === 'rejected') violations.push(`A call failed: ${String(end.reason)}`);
  }
  return readings;
}

function risesIn(readings: readonly Reading[], slack: number): string[] {
  return gauges().flatMap(([gauge, { share, least }]) => {
    const tendency = tendencyOf(readings.map((reading) => reading[gauge]));
    if (isFlat(tendency, { share: share * slack, least: least * slack })) return [];
    const { middle, rise } = tendency;
    return [`Rising: ${gauge}, by ${rise.toFixed(1)} from a median of ${middle.toFixed(1)}.`];
  });
}

/**
 * Reports resources that a server at rest has more of than under load. Clients are still connected.
 */
function leftBehind(readings: readonly Reading[], after: Reading): string[] {
  return (['open handles', 'active resources'] as const).flatMap((gauge) => {
    const { middle } = tendencyOf(readings.map((reading) => reading[gauge]));
    const more = after[gauge] - middle;
    return more <= TOLERANCES[gauge].least ? [] : [`Left behind: ${more} ${gauge}.`];
  });
}

/** Reports queues of a server at rest that are not empty. */
function leftWaiting(after: Reading): string[] {
  return QUEUES.filter((queue) => after[queue] !== 0).map(
    (queue) => `Left behind: ${after[queue]} ${queue}.`,
  );
}

function waitingIn(reading: Reading): number {
  return QUEUES.reduce((sum, queue) => sum + reading[queue], 0);
}

function gauges(): [Gauge, Tolerance][] {
  return Object.entries(TOLERANCES) as [Gauge, Tolerance][];
}
