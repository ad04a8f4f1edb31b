/** The token bucket against a slow model that counts in exact fractions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketLimit, type TokenBucket, takeTokens } from './token-bucket-policy.js';

/** A bucket in integer parts: one token is `windowSecs * 1,000` parts. */
class SlowBucket {
  readonly #oneToken: bigint;
  readonly #perMs: bigint;
  readonly #capacity: bigint;
  #held: bigint;
  #atMs = 0n;

  constructor({ maxRequests, windowSecs }: BucketLimit) {
    this.#oneToken = BigInt(windowSecs) * 1_000n;
    this.#perMs = BigInt(maxRequests);
    this.#capacity = this.#perMs * this.#oneToken;
    this.#held = this.#capacity;
  }

  take(nowMs: number, tokens: 0 | 1) {
    const atMs = BigInt(Math.floor(nowMs));
    const filled = this.#held + (atMs - this.#atMs) * this.#perMs;
    this.#held = filled < this.#capacity ? filled : this.#capacity;
    this.#atMs = atMs;
    const isAllowed = tokens === 0 || this.#held >= this.#oneToken;
    if (isAllowed && tokens === 1) this.#held -= this.#oneToken;
    const state = {
      limit: Number(this.#perMs),
      remaining: Number(this.#held / this.#oneToken),
      resetInSecs: this.#secsUntil(this.#capacity),
    };
    if (isAllowed) return { type: 'allowed', ...state };
    return { type: 'refused', ...state, retryAfterSecs: this.#secsUntil(this.#oneToken) };
  }

  #secsUntil(parts: bigint): number {
    const perSec = this.#perMs * 1_000n;
    return Number((parts - this.#held + perSec - 1n) / perSec);
  }
}

const limits = fc.record({
  maxRequests: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100_000 })),
  windowSecs: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 86_400 })),
});

const steps = fc.array(
  fc.record({
    // Often no time at all, so that small buckets run empty.
    waitedMs: fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, max: 2_000, noNaN: true }),
      fc.integer({ min: 0, max: 100_000 }),
    ),
    tokens: fc.constantFrom<(0 | 1)[]>(0, 1, 1, 1),
  }),
  { maxLength: 100 },
);

describe('takeTokens', () => {
  it('decides as the slow model does', () => {
    fc.assert(
      fc.property(limits, steps, (limit, taken) => {
        const slow = new SlowBucket(limit);
        let bucket: TokenBucket | undefined;
        let nowMs = 0;
        for (const { waitedMs, tokens } of taken) {
          nowMs += waitedMs;
          const outcome = takeTokens(bucket, limit, nowMs, tokens);
          bucket = outcome.bucket;
          expect(outcome.decision).toEqual(slow.take(nowMs, tokens));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has a token after the wait that it stated', () => {
    fc.assert(
      fc.property(limits, fc.nat({ max: 2 ** 40 }), (limit, startMs) => {
        fc.pre(limit.maxRequests <= 1_000);
        let bucket: TokenBucket | undefined;
        for (let taken = 0; taken < limit.maxRequests; taken++) {
          bucket = takeTokens(bucket, limit, startMs, 1).bucket;
        }
        const { decision } = takeTokens(bucket, limit, startMs, 1);
        if (decision.type !== 'refused') throw new Error('an empty bucket gave a token');
        expect(decision.retryAfterSecs).toBeGreaterThanOrEqual(1);
        const thenMs = startMs + decision.retryAfterSecs * 1_000;
        expect(takeTokens(bucket, limit, thenMs, 1).decision.type).toBe('allowed');
        const fullMs = startMs + decision.resetInSecs * 1_000;
        expect(takeTokens(bucket, limit, fullMs, 0).decision.remaining).toBe(limit.maxRequests);
      }),
    );
  });
});
