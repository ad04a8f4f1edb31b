/** The bounded buckets against a table that scans all of them, and under a flood. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BucketTable } from './bucket-table.js';
import { defaultRateLimitPolicies, type RateLimitPolicy } from './rate-limit-policy.js';
import { RATE_LIMIT_CLIENTS_MAX } from './rate-limiter.js';
import { fullAtMs, takeTokens, type TokenBucket } from './token-bucket-policy.js';

const [login] = defaultRateLimitPolicies as [RateLimitPolicy];

/** Finds the fullest bucket by a scan. */
class SlowTable {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #policy: RateLimitPolicy;
  readonly #clientsMax: number;

  constructor(policy: RateLimitPolicy, clientsMax: number) {
    this.#policy = policy;
    this.#clientsMax = clientsMax;
  }

  take(client: string, nowMs: number) {
    const known = this.#buckets.get(client);
    const { bucket, decision } = takeTokens(known, this.#policy, nowMs, 1);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size > this.#clientsMax) this.#buckets.delete(this.#fullest());
    return decision;
  }

  #fullest(): string {
    const ranked = [...this.#buckets]
      .map(([client, bucket]) => ({ client, ms: fullAtMs(bucket, this.#policy) }))
      .sort((one, other) => one.ms - other.ms);
    const [first, second] = ranked;
    if (first === undefined) throw new Error('nothing to drop');
    // Which of two equally full buckets is dropped is left open.
    fc.pre(second === undefined || second.ms - first.ms > 1e-6);
    return first.client;
  }
}

describe('BucketTable', () => {
  it('drops the bucket that a full scan would drop', () => {
    const policy = { ...login, maxRequests: 7, windowSecs: 10 };
    const step = fc.record({
      client: fc.integer({ min: 0, max: 9 }).map(String),
      waitedMs: fc.integer({ min: 1, max: 900 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { maxLength: 120 }),
        (clientsMax, steps) => {
          const table = new BucketTable(policy, clientsMax);
          const slow = new SlowTable(policy, clientsMax);
          let nowMs = 0;
          for (const { client, waitedMs } of steps) {
            nowMs += waitedMs;
            expect(table.take(client, nowMs)).toEqual(slow.take(client, nowMs));
            expect(table.size).toBeLessThanOrEqual(clientsMax);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps limited clients under a million forged addresses', () => {
    const table = new BucketTable(login, RATE_LIMIT_CLIENTS_MAX);
    const alone = new BucketTable(login, RATE_LIMIT_CLIENTS_MAX);
    const victims = Array.from({ length: 50 }, (_, index) => `victim ${index}`);
    for (const victim of victims) {
      for (let taken = 0; taken < login.maxRequests; taken++) {
        table.take(victim, 0);
        alone.take(victim, 0);
      }
      expect(table.take(victim, 0).type).toBe('refused');
    }
    let most = 0;
    for (let forged = 0; forged < 1_000_000; forged++) {
      // 200,000 a second, faster than buckets of one missing token fill.
      table.take(`2001:db8::${forged}`, forged / 200);
      if (table.size > most) most = table.size;
    }
    expect(most).toBe(RATE_LIMIT_CLIENTS_MAX);
    for (const victim of victims) {
      expect(table.take(victim, 5_000)).toEqual(alone.take(victim, 5_000));
    }
  });
});
