/**
 * The search finds an order exactly when there is one.
 * @module
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLinearizable, type Operation, type SequentialModel } from './linearizability.js';

/** A register that is added to, and answers with what it held before. */
const register: SequentialModel<number, { readonly add: number; readonly held?: number }> = {
  initial: 0,
  next: (sum, { add, held = sum }) => (held === sum ? sum + add : undefined),
  keyOf: String,
};

type Addition = Operation<{ readonly add: number; readonly held?: number }>;

function added(span: readonly [number, number], add: number, held: number): Addition {
  const [calledAt, endsAt] = span;
  return { calledAt, endsAt, isCertain: true, event: { add, held } };
}

function unknown(calledAt: number, add: number, endsAt = Infinity): Addition {
  return { calledAt, endsAt, isCertain: false, event: { add } };
}

const holds = (...operations: Addition[]): boolean => isLinearizable(register, operations);

test('what overlaps may have happened either way round, what does not may not', () => {
  expect(holds()).toBe(true);
  expect(holds(added([0, 3], 1, 2), added([1, 2], 2, 0))).toBe(true);
  expect(holds(added([0, 1], 1, 2), added([2, 3], 2, 0))).toBe(false);
  expect(holds(added([0, 3], 1, 0), added([1, 2], 2, 0))).toBe(false);
});

test('what has no answer may have happened, but not before it was asked', () => {
  expect(holds(unknown(0, 5), added([1, 2], 1, 0), added([3, 4], 1, 6))).toBe(true);
  expect(holds(unknown(0, 5), added([1, 2], 1, 0))).toBe(true);
  expect(holds(added([0, 1], 1, 5), unknown(2, 5))).toBe(false);
  expect(holds(unknown(0, 5), added([1, 2], 1, 5), added([3, 4], 1, 11))).toBe(false);
});

test('nor after it can no longer have happened', () => {
  expect(holds(unknown(0, 5, 3), added([1, 2], 0, 0), added([4, 5], 0, 5))).toBe(true);
  expect(holds(unknown(0, 5, 3), added([4, 5], 0, 0), added([6, 7], 0, 5))).toBe(false);
});

const events = fc.array(
  fc.record({
    add: fc.nat({ max: 2 }),
    held: fc.nat({ max: 4 }),
    isCertain: fc.boolean(),
    calledAt: fc.nat({ max: 20 }),
    lasts: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 6 },
);

/** Tries every order of every choice of what happened. */
function slowly(operations: readonly Addition[], sum = 0, happened: Addition[] = []): boolean {
  if (operations.every(({ isCertain }) => !isCertain)) return true;
  return operations.some((one) => {
    const others = operations.filter((each) => each !== one);
    const next = register.next(sum, one.event);
    const isTooEarly = others.some((each) => each.isCertain && each.endsAt < one.calledAt);
    const isTooLate = happened.some(({ calledAt }) => calledAt > one.endsAt);
    if (next === undefined || isTooEarly || isTooLate) return false;
    return slowly(others, next, [...happened, one]);
  });
}

test('agrees with a search that remembers nothing', () => {
  let found = 0;
  fc.assert(
    fc.property(events, (made) => {
      const operations = made.map(({ add, held, isCertain, calledAt, lasts }, index) => ({
        isCertain,
        event: isCertain ? { add, held } : { add },
        // All times of a history differ.
        calledAt: calledAt + index / 100,
        endsAt: calledAt + lasts + index / 100 + 0.001,
      }));
      const isFound = slowly(operations);
      if (isFound && made.filter(({ isCertain }) => isCertain).length > 2) found += 1;
      expect(isLinearizable(register, operations)).toBe(isFound);
    }),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(10);
});
