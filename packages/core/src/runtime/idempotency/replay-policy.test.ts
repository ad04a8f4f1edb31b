/** The decision on an idempotency key. */
import { expect, test } from 'vitest';
import { decideReplay } from './replay-policy.js';

test('an unused key is fresh, the same command a replay, another command a conflict', () => {
  const receipt = { fingerprint: 'f' };
  expect(decideReplay(undefined, 'f')).toEqual({ type: 'fresh' });
  expect(decideReplay(receipt, 'f')).toEqual({ type: 'replay', receipt });
  expect(decideReplay(receipt, 'g')).toEqual({ type: 'conflict' });
});
