/**
 * Judges a round: receipts, records, feeds, webhooks and the revoked credential.
 */
import assert from 'node:assert/strict';
import { AgentkeepError } from '@agentkeep/core';
import { FeedFollower } from '@agentkeep/testkit/feed-follower';
import { setTimeout as pass } from 'node:timers/promises';
import { forEach, seenBy, summaryOf } from '../kills/command-check.js';
import { send } from '../kills/command-history.js';
import type { Round } from './round.js';
import type { HookReceiver } from './round-hook.js';

const HOOKS_MS = 180_000;

/** The outcome of a round. */
export interface Verdict {
  readonly acknowledged: number;
  /** Acknowledged commands whose receipt is not found again. */
  readonly lost: number;
  /** Commands that took effect twice, and records in another state than acknowledged. */
  readonly doubled: number;
  /** Faults of feeds: gaps, repeats, different orders. */
  readonly gaps: number;
  /** Changes that a webhook did not deliver, or delivered in another order. */
  readonly undelivered: number;
  /** Calls that a revoked credential was allowed. */
  readonly allowed: number;
  /** Answers that no documented retry helps against. */
  readonly refusals: number;
  /** The first few faults, in words. */
  readonly details: readonly string[];
}

/** Judges a round that has ended, at a server. */
export async function judge(round: Round, url: string, hooks: HookReceiver): Promise<Verdict> {
  const { history, scopes } = round;
  const memory = round.memoryAt(url, true);
  const details = [...round.seen.refusals];
  const states = await doubledIn(round, details, async () => await seenBy(memory, scopes));
  const orders = await readFeeds(round, url, details);
  const undelivered = await undeliveredOf(round, hooks, orders.order);
  if (undelivered > 0) details.push(`The webhook missed or misplaced ${String(undelivered)}.`);
  let lost = 0;
  await forEach(history.acknowledged, async ({ command, receipt }) => {
    const again = await send(memory, command).catch((error: unknown) => {
      if (error instanceof AgentkeepError && !error.retryable) return undefined;
      throw error;
    });
    if (again?.record_id === receipt.record_id && again.revision === receipt.revision) return;
    lost += 1;
    details.push(`The receipt of ${command.idempotencyKey} is gone.`);
  });
  return {
    acknowledged: history.acknowledged.length,
    lost,
    doubled: states,
    gaps: orders.gaps,
    undelivered,
    allowed: round.allowed,
    refusals: round.seen.refusals.length,
    details,
  };
}

/** Counts records that no command made, and those in another state than the last command left. */
async function doubledIn(
  { history }: Round,
  details: string[],
  look: () => ReturnType<typeof seenBy>,
): Promise<number> {
  try {
    const { records } = await look();
    let count = 0;
    for (const state of history.records.values()) {
      const found = records.get(state.recordId)?.summary ?? 'deleted';
      if (found === summaryOf(state)) continue;
      count += 1;
      details.push(`${state.recordId} is ${found}, and was acknowledged as ${summaryOf(state)}.`);
    }
    for (const [id, { summary }] of records) {
      if (history.records.has(id)) continue;
      count += 1;
      details.push(`${id} is a second record: ${summary}.`);
    }
    return count;
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error;
    details.push(error.message);
    return 1;
  }
}

/** Reads all feeds to their end, and a new one from the beginning. */
async function readFeeds(
  round: Round,
  url: string,
  details: string[],
): Promise<{ gaps: number; order: string[] }> {
  const { followers, history } = round;
  const fresh = new FeedFollower();
  const all = [...followers, fresh];
  let gaps = 0;
  const receipts = history.acknowledged.map(({ receipt }) => receipt);
  for (const follower of all) {
    await follower.readAll(round.memoryAt(url, true));
    follower.expect(receipts.map(({ record_id, revision }) => [record_id, revision]));
    gaps += follower.violations.length;
    details.push(...follower.violations);
  }
  const orders = all.map(({ seen }) =>
    seen.map(({ record_id, revision }) => `${record_id} ${String(revision)}`),
  );
  const order = orders.at(-1) ?? [];
  for (const other of orders.slice(0, -1)) {
    if (other.join() === order.join()) continue;
    gaps += 1;
    details.push('A reader that went on saw other changes than a new one.');
  }
  return { gaps, order };
}

/** Waits for the webhook. Returns how many changes are missing or in another order. */
async function undeliveredOf(
  { path }: Round,
  hooks: HookReceiver,
  order: readonly string[],
): Promise<number> {
  const until = performance.now() + HOOKS_MS;
  while (hooks.arrivedAt(path).length < order.length && performance.now() < until) await pass(200);
  const arrived = hooks.arrivedAt(path);
  return (
    Math.abs(order.length - arrived.length) +
    order.filter((each, at) => arrived[at] !== each).length
  );
}
