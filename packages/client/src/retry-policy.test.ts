/** When a failed call is sent again. */
import { AgentkeepError, type ErrorCode, errorCatalogue } from '@agentkeep/core/clients';
import { describe, expect, test } from 'vitest';
import { type RetrySituation, waitBeforeRetry } from './retry-policy.js';

const policy = { tries: 4, totalMs: 10_000, firstWaitMs: 200, longestWaitMs: 1_000 };

function wait(code: ErrorCode, known: Partial<RetrySituation> = {}): number | undefined {
  const error = new AgentkeepError(code);
  const usual = { isRepeatable: true, isElsewhere: false, triesMade: 1, elapsedMs: 0, chance: 0 };
  const situation = { error, ...usual };
  return waitBeforeRetry({ ...situation, ...known }, policy);
}

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test('a repeatable call is sent again after failures and refusals by load alone', () => {
  expect(codes.filter((code) => wait(code) !== undefined).sort()).toEqual([
    'internal_error',
    'login_busy',
    'rate_limit_exceeded',
    'replica_unavailable',
    'server_stopping',
    'server_unreachable',
    'service_busy',
    'store_unavailable',
  ]);
});

test('any other call only where the server says that nothing was done', () => {
  const again = codes.filter((code) => wait(code, { isRepeatable: false }) !== undefined);
  expect(again.sort()).toEqual([
    'login_busy',
    'rate_limit_exceeded',
    'server_stopping',
    'service_busy',
  ]);
});

describe('the wait', () => {
  const policyOfMany = { ...policy, tries: 100, totalMs: 1_000_000 };
  const error = new AgentkeepError('server_unreachable');
  const usual = { isRepeatable: true, isElsewhere: false, triesMade: 1, elapsedMs: 0, chance: 0 };
  const first = { error, ...usual };

  test('doubles up to the longest', () => {
    const waits = [1, 2, 3, 4, 50].map((triesMade) =>
      waitBeforeRetry({ ...first, triesMade }, policyOfMany),
    );
    expect(waits).toEqual([200, 400, 800, 1_000, 1_000]);
  });

  test('loses up to half by chance', () => {
    const waits = [0, 0.5, 1].map((chance) => waitBeforeRetry({ ...first, chance }, policyOfMany));
    expect(waits).toEqual([200, 150, 100]);
  });

  test('is what the answer asks for, and by chance a little more', () => {
    const waits = [0, 1].map((chance) =>
      waitBeforeRetry({ ...first, chance, retryAfterMs: 3_000 }, policyOfMany),
    );
    expect(waits).toEqual([3_000, 3_100]);
  });
});

test('a try at another server comes at once, within the bounds', () => {
  const elsewhere = { isElsewhere: true, retryAfterMs: 1_000 };
  expect(wait('server_stopping', elsewhere)).toBe(0);
  expect(wait('server_unreachable', { ...elsewhere, isRepeatable: false })).toBeUndefined();
  expect(wait('server_stopping', { ...elsewhere, triesMade: 4 })).toBeUndefined();
  expect(wait('server_stopping', { ...elsewhere, elapsedMs: 10_001 })).toBeUndefined();
});

test('the last try and the total time are bounds', () => {
  expect(wait('server_unreachable', { triesMade: 3 })).toBe(800);
  expect(wait('server_unreachable', { triesMade: 4 })).toBeUndefined();
  expect(wait('server_unreachable', { elapsedMs: 9_800 })).toBe(200);
  expect(wait('server_unreachable', { elapsedMs: 9_801 })).toBeUndefined();
  expect(wait('rate_limit_exceeded', { retryAfterMs: 10_000 })).toBe(10_000);
  expect(wait('rate_limit_exceeded', { retryAfterMs: 10_001 })).toBeUndefined();
});
