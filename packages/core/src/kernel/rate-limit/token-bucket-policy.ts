/**
 * Decides whether a client's bucket has a token for another request
 * (docs/contract/rate-limits.md#rtl-24). All arithmetic is on integers, so rounding neither loses
 * nor makes tokens.
 */
import type { RateLimitPolicy } from './rate-limit-policy.js';

/** The size of a bucket and how fast it fills. */
export type BucketLimit = Pick<RateLimitPolicy, 'maxRequests' | 'windowSecs'>;

/** The content of a bucket at a time. A client without a bucket has a full one. */
export interface TokenBucket {
  /** Missing tokens times the window's milliseconds; each millisecond subtracts `maxRequests`. */
  readonly missing: number;
  /** Whole milliseconds of the monotonic clock. */
  readonly atMs: number;
}

/** The state of a bucket as clients see it. */
interface BucketState {
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until the bucket is full, rounded up. */
  readonly resetInSecs: number;
}

/** The decision on a request. */
export type RateLimitDecision =
  | (BucketState & { readonly type: 'allowed' })
  | (BucketState & {
      readonly type: 'refused';
      /** Seconds until there is a token, rounded up; at least 1. */
      readonly retryAfterSecs: number;
    });

/** A decision and the bucket after it. */
export interface TokenOutcome {
  readonly bucket: TokenBucket;
  readonly decision: RateLimitDecision;
}

const MS_PER_SEC = 1_000;

/**
 * Takes tokens from a bucket; with `tokens` 0 only reads its state. `nowMs` is monotonic time; its
 * fractions of a millisecond don't count.
 */
export function takeTokens(
  bucket: TokenBucket | undefined,
  limit: BucketLimit,
  nowMs: number,
  tokens: 0 | 1,
): TokenOutcome {
  const { maxRequests } = limit;
  const oneToken = limit.windowSecs * MS_PER_SEC;
  const filledPerSec = maxRequests * MS_PER_SEC;
  const atMs = Math.floor(nowMs);
  const before = bucket === undefined ? 0 : missingAt(bucket, maxRequests, atMs);
  const after = before + tokens * oneToken;
  const beyond = after - maxRequests * oneToken;
  const missing = beyond > 0 ? before : after;
  const remaining = maxRequests - Math.ceil(missing / oneToken);
  const resetInSecs = Math.ceil(missing / filledPerSec);
  if (beyond > 0) {
    const retryAfterSecs = Math.ceil(beyond / filledPerSec);
    return {
      bucket: { missing, atMs },
      decision: { type: 'refused', limit: maxRequests, remaining, resetInSecs, retryAfterSecs },
    };
  }
  return {
    bucket: { missing, atMs },
    decision: { type: 'allowed', limit: maxRequests, remaining, resetInSecs },
  };
}

function missingAt(bucket: TokenBucket, maxRequests: number, atMs: number): number {
  const elapsedMs = Math.max(0, atMs - bucket.atMs);
  return Math.max(0, bucket.missing - elapsedMs * maxRequests);
}

/** Returns when a bucket is full if nothing more is taken. The fuller of two is full earlier. */
export function fullAtMs(bucket: TokenBucket, limit: BucketLimit): number {
  return bucket.atMs + bucket.missing / limit.maxRequests;
}
