/** Which modes keep other users out. */
import { expect, test } from 'vitest';
import { decideAccess, tightened } from './private-files.js';

test.each([
  [0o700, 1, 'private'],
  [0o750, 1, 'private'],
  [0o755, 1, 'tighten'],
  [0o777, 1, 'tighten'],
  // A volume of another user, shared with a group.
  [0o2770, 2, 'private'],
  [0o700, 2, 'private'],
  [0o2775, 2, 'open'],
  [0o2777, 2, 'open'],
] as const)('OPR-85 a directory of mode %o of user %i is %s for user 1', (mode, uid, decision) => {
  expect(decideAccess({ isDirectory: true, mode, uid }, 1)).toBe(decision);
});

test.each([
  [0o600, 1, 'private'],
  [0o640, 1, 'tighten'],
  [0o604, 1, 'tighten'],
  [0o660, 2, 'private'],
  [0o604, 2, 'open'],
] as const)('OPR-85 a file of mode %o of user %i is %s for user 1', (mode, uid, decision) => {
  expect(decideAccess({ isDirectory: false, mode, uid }, 1)).toBe(decision);
});

test('a group keeps a directory, not a file', () => {
  expect(tightened({ isDirectory: true, mode: 0o40755, uid: 1 })).toBe(0o750);
  expect(tightened({ isDirectory: false, mode: 0o100644, uid: 1 })).toBe(0o600);
});
