/**
 * When a batch ends: by its bodies, its bytes, or the time that they and the last flushes took. And
 * when its callers are split.
 */
import { expect, test } from 'vitest';
import {
  ASIDE_BODIES_MIN,
  BODIES_MS,
  COMMIT_BODIES_MAX,
  COMMIT_BYTES_MAX,
  splitsCallers,
  takesAnother,
} from './group-commit-policy.js';

const work = { bodies: 1, bytes: 1, ms: 0 };

test.each([
  ['its first body, however slow the disk', { bodies: 0, bytes: 0, ms: 99 }, [0, 0], true],
  ['another one at once', work, [0, 0], true],
  ['none beyond the most bodies', { ...work, bodies: COMMIT_BODIES_MAX }, [0, 0], false],
  ['none beyond the most bytes', { ...work, bytes: COMMIT_BYTES_MAX }, [0, 0], false],
  ['another one before its time is over', { ...work, ms: BODIES_MS - 0.1 }, [0, 0], true],
  ['none after its time', { ...work, ms: BODIES_MS }, [0, 0], false],
  ['more while two flushes took longer', { ...work, ms: 9 }, [20, 10], true],
  ['no more than the shorter flush took', { ...work, ms: 10 }, [20, 10], false],
  ['none because of a single long flush', { ...work, ms: BODIES_MS }, [500, 1], false],
] as const)('a batch takes %s', (_, taken, flushesMs, takes) => {
  expect(takesAnother(taken, flushesMs)).toBe(takes);
});

test.each([
  ['a flush is shorter than the bodies of all callers', 0, 64, 0.05, 3, true],
  ['some of them wait already', 40, 24, 0.05, 3, true],
  ['a flush takes longer', 0, 64, 0.05, 3.3, false],
  ['there are few', 0, 2 * ASIDE_BODIES_MIN - 1, 1, 0, false],
])('callers are split where %s: %j', (_case, waiting, answers, bodyMs, flushMs, isSplit) => {
  expect(splitsCallers({ waiting, answers, bodyMs, flushMs })).toBe(isSplit);
});
