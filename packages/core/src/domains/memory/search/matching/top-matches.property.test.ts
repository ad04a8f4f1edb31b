/** The first matches beside the plain statement of them. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comesBefore } from './search-order.js';
import { type RankedMatch, TopMatches } from './top-matches.js';

const matches: fc.Arbitrary<RankedMatch[]> = fc.array(
  fc.record({
    key: fc.integer({ min: -3, max: 3 }),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    scope: fc.nat({ max: 2 }),
  }),
  { maxLength: 40 },
);

/** Puts each match before the first one that it does not come after. */
function plainFirst(
  all: readonly RankedMatch[],
  { most, isBackward }: { readonly most: number; readonly isBackward: boolean },
): readonly RankedMatch[] {
  const first: RankedMatch[] = [];
  for (const match of all) {
    const place = first.findIndex((other) => !comesBefore(other, match, isBackward));
    first.splice(place === -1 ? first.length : place, 0, match);
  }
  return first.slice(0, most);
}

describe('the first matches', () => {
  it('are those of the order, whenever they are asked for', () => {
    const order = fc.record({ most: fc.integer({ min: 1, max: 8 }), isBackward: fc.boolean() });
    fc.assert(
      fc.property(matches, order, fc.nat({ max: 40 }), (all, asked, askedAt) => {
        const top = new TopMatches<RankedMatch>([], asked);
        for (const [index, match] of all.entries()) {
          if (index === askedAt) {
            expect(top.matches).toEqual(plainFirst(all.slice(0, index), asked));
          }
          top.add(match);
        }
        expect(top.matches).toEqual(plainFirst(all, asked));
      }),
      { numRuns: 500 },
    );
  });

  it('may take every match that would be among them', () => {
    fc.assert(
      fc.property(matches, matches, fc.integer({ min: 1, max: 8 }), (before, all, most) => {
        const asked = { most, isBackward: true };
        const top = new TopMatches(plainFirst(before, asked), asked);
        const taken = all.filter((match) => {
          const mayTake = top.mayTake(match.key);
          top.add(match);
          return mayTake;
        });
        const plain = plainFirst([...plainFirst(before, asked).toReversed(), ...all], asked);
        expect(plain.every((match) => taken.includes(match) || before.includes(match))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
