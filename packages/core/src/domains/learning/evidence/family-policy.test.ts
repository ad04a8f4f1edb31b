/** Candidates are admitted together by the rule of e-BH, and few of them are useless. */
import { sharesFrom } from '@agentkeep/testkit/random';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { acceptedBeside, decidingWealthBeside, type FamilyMember } from './family-policy.js';
import { exchanged, wealthOf } from './wealth-policy.js';

/** Wealth that is enough alone at a delta of 0.1, in units. */
const ENOUGH = 10_000_000;

/** The rule of e-BH: the most wealthy for the greatest number of which each has enough. */
function together(wealths: readonly number[], most: number): readonly number[] {
  const sorted = wealths.toSorted((one, other) => other - one);
  const size = sorted.findLastIndex((wealth, at) => wealth * (at + 1) >= ENOUGH * most) + 1;
  return sorted.slice(0, size);
}

const wealth = fc.oneof(
  fc.integer({ min: 0, max: 3 * ENOUGH }),
  fc.constantFrom(0, ENOUGH, 2 * ENOUGH, 3 * ENOUGH, 10 * ENOUGH),
);

test('BET-12 the least wealth that is enough is the least that e-BH accepts', () => {
  fc.assert(
    fc.property(fc.array(wealth, { maxLength: 9 }), fc.nat(10), (others, more) => {
      const most = others.length + 1 + more;
      const members = others.map((each, at) => ({ id: `c${at}`, wealth: each, isAccepted: false }));
      const least = decidingWealthBeside(members, ENOUGH, most);
      const accepted = together([...others, least], most);
      expect(accepted).toContain(least);
      const without = together([...others, least - 1], most);
      expect(without.filter((each) => each < least)).toEqual([]);
      // Those that have as much are accepted along.
      expect(acceptedBeside(members, least)).toHaveLength(accepted.length - 1);
    }),
  );
});

test('one that is accepted is not accepted again', () => {
  const members = [{ id: 'a', wealth: 5 * ENOUGH, isAccepted: true }];
  expect(acceptedBeside(members, ENOUGH)).toEqual([]);
  expect(decidingWealthBeside(members, ENOUGH, 4)).toBe(2 * ENOUGH);
});

/** The wealth after wins and losses, remembered. */
function rememberedWealth() {
  const known = new Map<number, { readonly wealth: number; readonly opposing: number }>();
  return (wins: number, losses: number) => {
    const key = wins * 1_000 + losses;
    const counts = [[-1_000, losses] as const, [1_000, wins] as const];
    const found = known.get(key) ?? {
      wealth: wealthOf(counts, 0),
      opposing: wealthOf(exchanged(counts), 0),
    };
    known.set(key, found);
    return found;
  };
}

/** Plays a family until its candidates are decided, and returns who is accepted. */
function playFamily(
  roll: () => number,
  worth: ReturnType<typeof rememberedWealth>,
  candidates: readonly { readonly isUseful: boolean }[],
) {
  const played = candidates.map(({ isUseful }, at) => ({
    ...{ id: String(at), isUseful, wealth: 1_000_000, isAccepted: false, isOver: false },
    ...{ wins: 0, losses: 0 },
  }));
  for (let trial = 0; trial < 200; trial += 1) {
    for (const one of played.filter(({ isAccepted, isOver }) => !isAccepted && !isOver)) {
      const drawn = roll();
      const chance = one.isUseful ? 0.4 : 0.25;
      if (drawn < chance) one.wins += 1;
      else if (drawn < chance + (one.isUseful ? 0.1 : 0.25)) one.losses += 1;
      const { wealth, opposing } = worth(one.wins, one.losses);
      one.wealth = wealth;
      const others: FamilyMember[] = played.filter((each) => each !== one);
      const least = decidingWealthBeside(others, ENOUGH, candidates.length);
      if (wealth >= least) {
        const accepted = new Set(acceptedBeside(others, least).map(({ id }) => id));
        for (const each of played)
          if (each === one || accepted.has(each.id)) each.isAccepted = true;
      } else if (opposing >= ENOUGH) Object.assign(one, { isOver: true, wealth: 0 });
    }
  }
  return played.filter(({ isAccepted }) => isAccepted);
}

test.each([
  { useful: 0, least: 0 },
  { useful: 2, least: 0.8 },
  { useful: 8, least: 0.9 },
])(
  'BET-13 of ten candidates, $useful of them useful, few useless ones are among the accepted',
  ({ useful, least }) => {
    const candidates = Array.from({ length: 10 }, (_, at) => ({ isUseful: at < useful }));
    const roll = sharesFrom(inject('seed'));
    const worth = rememberedWealth();
    const families = 600;
    let [shares, found] = [0, 0];
    for (let at = 0; at < families; at += 1) {
      const accepted = playFamily(roll, worth, candidates);
      const wrong = accepted.filter(({ isUseful }) => !isUseful).length;
      shares += wrong / Math.max(1, accepted.length);
      found += accepted.length - wrong;
    }
    expect(shares / families).toBeLessThan(0.1 + 3 * Math.sqrt((0.1 * 0.9) / families));
    if (useful > 0) expect(found / (families * useful)).toBeGreaterThan(least);
  },
);
