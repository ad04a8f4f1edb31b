/** When a batch ends: by its bodies, its bytes, or the time that they and the last flushes took. */
import { expect, test } from 'vitest';
import {
  COMMIT_BODIES_MAX,
  COMMIT_BYTES_MAX,
  BODIES_MS,
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
