/** Ids ascend whatever the clock does, and have the format of RFC 9562. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemEntropy } from './entropy.js';
import { uuidV7Generator } from './ids.js';

test('ids strictly ascend while time stands still, jumps ahead and steps back', () => {
  const times = fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1_000_000 }), { minLength: 1 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 50 }), (instants, perInstant) => {
      let now = 0;
      const newId = uuidV7Generator({ now: () => now, monotonic: () => now }, systemEntropy);
      const ids = instants.flatMap((instant) => {
        now = instant;
        return Array.from({ length: perInstant }, newId);
      });
      expect(ids).toEqual([...new Set(ids)].sort());
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
    }),
    { numRuns: 30 },
  );
});

test('the first 48 bits are the time in milliseconds', () => {
  const newId = uuidV7Generator({ now: () => 0x0123456789ab, monotonic: () => 0 }, systemEntropy);
  expect(newId().startsWith('01234567-89ab-7')).toBe(true);
});

test('more ids in one millisecond than the counter holds borrow from the next', () => {
  const newId = uuidV7Generator({ now: () => 5, monotonic: () => 0 }, systemEntropy);
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids).toEqual([...new Set(ids)].sort());
});
