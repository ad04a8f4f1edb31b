/**
 * Plays rounds on a cluster: a fault under load, then a whole cluster again, then the judge.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { Cluster, type ClusterOptions } from './cluster.js';
import { controlFaults, type Fault, faults } from './faults.js';
import { judge, type Verdict } from './judge.js';
import { Round } from './round.js';
import { HookReceiver } from './round-hook.js';

const SERVED_AGAIN_MS = 150_000;
const ACKS_BEFORE = 40;
const ACKS_SPAN = 120;
const ACKS_AFTER = 60;
const REVOKED_MS_SPAN = 8_000;

/** A round with its outcome. */
export interface RoundRow extends Verdict {
  readonly round: number;
  readonly fault: string;
  readonly host: string;
  /** The longest time without an acknowledged command, in seconds. */
  readonly away: number;
  readonly seen: string;
}

/** Rounds to play. */
export interface Play extends ClusterOptions {
  readonly seed: number;
  readonly rounds: number;
  /** The only fault to make, by its name. */
  readonly only?: string | undefined;
  /** A folder that gets the logs of all hosts. */
  readonly logs?: string | undefined;
  report(row: RoundRow): void;
}

/** Plays rounds on a cluster of their own. */
export async function playRounds(play: Play): Promise<RoundRow[]> {
  const random = randomFrom(play.seed);
  const rows: RoundRow[] = [];
  await using cluster = await Cluster.start(play);
  const { ground } = cluster;
  const address = ground.isIsolated ? ground.ownAddress : '127.0.0.1';
  await using hooks = await HookReceiver.listen(address);
  const chosen = chooseFaults(play, random);
  try {
    for (const [at, fault] of chosen.entries()) {
      const round = new Round({ cluster, number: at + 1, hookUrl: hooks.url, random });
      const row = { round: at + 1, ...(await playOne(round, { cluster, fault, hooks, random })) };
      rows.push(row);
      play.report(row);
    }
  } finally {
    await cluster.saveLogs(play.logs);
  }
  return rows;
}

/** Each fault as often as the others, in an order that the seed chooses. */
function chooseFaults({ isIsolated, isSafe, rounds, only }: Play, random: Random): Fault[] {
  const all = isSafe ? faults(isIsolated) : controlFaults(isIsolated);
  const kinds = all.filter(({ name }) => only === undefined || name === only);
  if (kinds.length === 0) throw new Error(`There is no fault named ${String(only)}.`);
  const chosen: Fault[] = [];
  while (chosen.length < rounds) {
    const deck = [...kinds];
    while (deck.length > 0) chosen.push(...deck.splice(random(deck.length), 1));
  }
  return chosen.slice(0, rounds);
}

interface Playing {
  readonly cluster: Cluster;
  readonly fault: Fault;
  readonly hooks: HookReceiver;
  readonly random: Random;
}

async function playOne(
  round: Round,
  { cluster, fault, hooks, random }: Playing,
): Promise<Omit<RoundRow, 'round'>> {
  const problems: string[] = [];
  await round.begin();
  if (!(await round.acknowledges(ACKS_BEFORE + random(ACKS_SPAN), SERVED_AGAIN_MS))) {
    problems.push('There was no service before the fault.');
  }
  const struckAt = performance.now();
  const struck = await fault.strike(cluster, random);
  const revoking = pass(random(REVOKED_MS_SPAN)).then(() => round.revoke());
  const until = performance.now() + SERVED_AGAIN_MS;
  while (!(await struck.isOver()) && performance.now() < until) await pass(250);
  const left = Math.max(0, until - performance.now());
  const isServed = await round.acknowledges(
    ACKS_AFTER,
    fault.name.startsWith('fill') ? 1_000 : left,
  );
  await struck.heal();
  if (!isServed && !(await round.acknowledges(ACKS_AFTER, SERVED_AGAIN_MS))) {
    problems.push('There was no service after the fault.');
  }
  if (!(await cluster.becomesWhole())) problems.push('The cluster did not become whole again.');
  if (!(await round.acknowledges(ACKS_AFTER, SERVED_AGAIN_MS))) problems.push('Service ended.');
  await revoking;
  await round.end();
  const verdict = await judge(round, cluster.servers[random(2)]!, hooks);
  await round.forget();
  const details = [...problems, ...verdict.details];
  const refusals = verdict.refusals + problems.length;
  const away = longestGap(round.acknowledgedAt, struckAt);
  const seen = round.seen.text;
  return { ...verdict, details, refusals, fault: fault.name, host: struck.host, away, seen };
}

/** Returns the longest time between two acknowledgements after a moment, in seconds. */
function longestGap(moments: readonly number[], since: number): number {
  let longest = 0;
  let before = since;
  for (const at of moments) {
    if (at < since) continue;
    longest = Math.max(longest, at - before);
    before = at;
  }
  return longest / 1_000;
}
