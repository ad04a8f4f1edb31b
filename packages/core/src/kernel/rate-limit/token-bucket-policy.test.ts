/** The token bucket at its bounds. */
import { describe, expect, it } from 'vitest';
import { type TokenBucket, takeTokens } from './token-bucket-policy.js';

const login = { maxRequests: 100, windowSecs: 60 };

/** Takes tokens at one time, and returns the last outcome. */
function takeMany(count: number, nowMs: number, bucket?: TokenBucket, limit = login) {
  let outcome = takeTokens(bucket, limit, nowMs, 1);
  for (let taken = 1; taken < count; taken++) {
    outcome = takeTokens(outcome.bucket, limit, nowMs, 1);
  }
  return outcome;
}

describe('takeTokens', () => {
  it('starts full', () => {
    expect(takeTokens(undefined, login, 12.5, 0).decision).toEqual({
      type: 'allowed',
      limit: 100,
      remaining: 100,
      resetInSecs: 0,
    });
    expect(takeTokens(undefined, login, 12.5, 1).decision).toEqual({
      type: 'allowed',
      limit: 100,
      remaining: 99,
      resetInSecs: 1,
    });
  });

  it('allows as many requests at once as the bucket holds, and refuses the next', () => {
    const last = takeMany(100, 7);
    expect(last.decision).toEqual({ type: 'allowed', limit: 100, remaining: 0, resetInSecs: 60 });
    expect(takeTokens(last.bucket, login, 7, 1).decision).toEqual({
      type: 'refused',
      limit: 100,
      remaining: 0,
      resetInSecs: 60,
      retryAfterSecs: 1,
    });
  });

  it('is never refused for a peek', () => {
    const { bucket } = takeMany(100, 7);
    expect(takeTokens(bucket, login, 7, 0).decision).toEqual({
      type: 'allowed',
      limit: 100,
      remaining: 0,
      resetInSecs: 60,
    });
  });

  it('regains a token after exactly its share of the window', () => {
    const { bucket } = takeMany(100, 0);
    expect(takeTokens(bucket, login, 599.99, 1).decision.type).toBe('refused');
    expect(takeTokens(bucket, login, 600, 1).decision).toMatchObject({
      type: 'allowed',
      remaining: 0,
      resetInSecs: 60,
    });
  });

  it('keeps fractions of tokens', () => {
    let { bucket } = takeMany(100, 0);
    bucket = takeTokens(bucket, login, 900, 1).bucket;
    expect(takeTokens(bucket, login, 1_199, 1).decision.type).toBe('refused');
    expect(takeTokens(bucket, login, 1_200, 1).decision.type).toBe('allowed');
  });

  it('loses no time to refused requests', () => {
    let { bucket } = takeMany(100, 0);
    for (let nowMs = 0; nowMs < 600; nowMs += 0.5) {
      const refused = takeTokens(bucket, login, nowMs, 1);
      expect(refused.decision.type).toBe('refused');
      bucket = refused.bucket;
    }
    expect(takeTokens(bucket, login, 600, 1).decision.type).toBe('allowed');
  });

  it('never exceeds its maximum', () => {
    const { bucket } = takeMany(100, 0);
    expect(takeTokens(bucket, login, 60_000, 0).decision).toMatchObject({
      remaining: 100,
      resetInSecs: 0,
    });
    const rested = takeMany(100, 1e9, bucket);
    expect(rested.decision).toMatchObject({ type: 'allowed', remaining: 0 });
    expect(takeTokens(rested.bucket, login, 1e9, 1).decision.type).toBe('refused');
  });

  it('rounds seconds up', () => {
    const { bucket } = takeMany(2, 0);
    const resetAt = (nowMs: number) => takeTokens(bucket, login, nowMs, 0).decision.resetInSecs;
    expect([0, 199, 200, 1_199, 1_200].map(resetAt)).toEqual([2, 2, 1, 1, 0]);
  });

  it('states the whole wait for one slow token', () => {
    const daily = { maxRequests: 1, windowSecs: 86_400 };
    const { bucket, decision } = takeTokens(undefined, daily, 0, 1);
    expect(decision).toMatchObject({ type: 'allowed', remaining: 0, resetInSecs: 86_400 });
    const retryAfterAt = (nowMs: number) => takeTokens(bucket, daily, nowMs, 1).decision;
    expect(retryAfterAt(0)).toMatchObject({ type: 'refused', retryAfterSecs: 86_400 });
    expect(retryAfterAt(1_000)).toMatchObject({ type: 'refused', retryAfterSecs: 86_399 });
    expect(retryAfterAt(86_399_999)).toMatchObject({ type: 'refused', retryAfterSecs: 1 });
    expect(retryAfterAt(86_400_000)).toMatchObject({ type: 'allowed' });
  });

  it('handles time that stands still or steps back', () => {
    const { bucket } = takeMany(100, 5_000);
    expect(takeTokens(bucket, login, 4_000, 1).decision.type).toBe('refused');
  });

  it('counts single tokens of the greatest policy', () => {
    const greatest = { maxRequests: 1_000_000_000, windowSecs: 86_400 };
    const uptimeMs = 1e10 + 0.7;
    expect(takeMany(3, uptimeMs, undefined, greatest).decision).toEqual({
      type: 'allowed',
      limit: 1_000_000_000,
      remaining: 999_999_997,
      resetInSecs: 1,
    });
  });
});
