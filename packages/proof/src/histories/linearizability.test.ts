/**
 * The search finds an order exactly if one exists.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, type Operation, type SequentialModel } from './linearizability.js';

interface Addition {
  readonly id: number;
  readonly add: number;
  /** The answer, if there is one. */
  readonly held?: number;
}

/** A register with an addition that returns the previous value. */
const register: SequentialModel<readonly Addition[], Addition> = {
  initial: [],
  next(done, addition) {
    const sum = done.reduce((total, { add }) => total + add, 0);
    const isPossible = (addition.held ?? sum) === sum && !done.includes(addition);
    return isPossible ? [...done, addition] : undefined;
  },
  keyOf: (done) => String(done.map(({ id }) => id).sort()),
};

type Step = Operation<Addition>;

function added([calledAt, endsAt]: readonly [number, number], add: number, held: number): Step {
  return { calledAt, endsAt, isCertain: true, event: { id: calledAt, add, held } };
}

function unknown(calledAt: number, add: number, endsAt = Infinity): Step {
  return { calledAt, endsAt, isCertain: false, event: { id: calledAt, add } };
}

const holds = (...operations: Step[]): boolean => judge(register, operations) === 'explained';

test('overlapping calls may have either order, others only that of time', () => {
  expect(holds()).toBe(true);
  expect(holds(added([0, 3], 1, 2), added([1, 2], 2, 0))).toBe(true);
  expect(holds(added([0, 1], 1, 2), added([2, 3], 2, 0))).toBe(false);
  expect(holds(added([0, 3], 1, 0), added([1, 2], 2, 0))).toBe(false);
});

test('a call without an answer may have happened, but not before it was made', () => {
  expect(holds(unknown(0, 5), added([1, 2], 1, 0), added([3, 4], 1, 6))).toBe(true);
  expect(holds(unknown(0, 5), added([1, 2], 1, 0))).toBe(true);
  expect(holds(added([0, 1], 1, 5), unknown(2, 5))).toBe(false);
  expect(holds(unknown(0, 5), added([1, 2], 1, 5), added([3, 4], 1, 11))).toBe(false);
});

test('a call without an answer cannot have happened after its latest time', () => {
  expect(holds(unknown(0, 5, 3), added([1, 2], 0, 0), added([4, 5], 0, 5))).toBe(true);
  expect(holds(unknown(0, 5, 3), added([4, 5], 0, 0), added([6, 7], 0, 5))).toBe(false);
});

const loose = fc.array(
  fc.record({
    add: fc.nat({ max: 2 }),
    held: fc.nat({ max: 4 }),
    isCertain: fc.boolean(),
    calledAt: fc.nat({ max: 20 }),
    lasts: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 6 },
);

/** Events in order, answered correctly, with times that overlap. */
const ordered = loose.map((made) => {
  let held = 0;
  return made.map((each, index) => {
    const step = { ...each, held, calledAt: index, lasts: 1 + (each.lasts % 3) };
    held += each.add;
    return step;
  });
});

/** Few of the loose histories have an order. */
const events = fc.oneof(loose, ordered);

/** Tries every order of every subset of the uncertain calls. */
function slowly(
  operations: readonly Step[],
  sum: readonly Addition[] = [],
  happened: readonly Step[] = [],
): boolean {
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

test('the search agrees with one without memory', () => {
  let found = 0;
  let refused = 0;
  fc.assert(
    fc.property(events, (made) => {
      const operations = made.map(({ add, held, isCertain, calledAt, lasts }, id) => ({
        isCertain,
        event: isCertain ? { id, add, held } : { id, add },
        // All times of a history are different.
        calledAt: calledAt + id / 100,
        endsAt: calledAt + lasts + id / 100 + 0.001,
      }));
      const isFound = slowly(operations);
      if (isFound && made.filter(({ isCertain }) => isCertain).length > 2) found += 1;
      else if (!isFound) refused += 1;
      expect(judge(register, operations)).toBe(isFound ? 'explained' : 'contradictory');
    }),
    { numRuns: 2_000 },
  );
  // About 200 and 500 are expected.
  expect(found).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

test('a search that would take too long is undecided', () => {
  const many = Array.from({ length: 15 }, (_, index) => unknown(index, 2 ** index));
  expect(judge(register, [...many, added([40, 41], 1, 0.5)])).toBe('undecided');
});
