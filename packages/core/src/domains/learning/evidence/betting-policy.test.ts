/** Bets decide early, seldom wrongly, and say beforehand what would decide. */
import { stateOfBets } from '@agentkeep/testkit/exact-bets';
import { sharesFrom } from '@agentkeep/testkit/random';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { bettingStanding, decidingWealth, judgeBet } from './betting-policy.js';
import { type Figures, type Measurement, noFigures } from './hoeffding-policy.js';
import type { PolicyParameters } from '../policy/schema.js';
import { exchanged, wealthOf } from './wealth-policy.js';

const policy: PolicyParameters = {
  qualification_trials: 200,
  confidence_delta: 0.1,
  min_improvement: 0,
  min_candidate_utility: 0,
  max_cost_units: 10,
  max_latency_ms: 100,
  max_failure_streak: 3,
  evaluator_id: 'judge',
  evaluation_contract: 'contract',
};
const win: Measurement = { baselineUtility: 0, candidateUtility: 1, costUnits: 10, latencyMs: 100 };
const loss: Measurement = { ...win, baselineUtility: 1, candidateUtility: 0 };

/** Judges trials until one decides. */
function judged(trials: Iterable<Measurement>, parameters = policy) {
  let figures: Figures = noFigures;
  for (const trial of trials) {
    const judgement = judgeBet(parameters, figures, trial);
    ({ figures } = judgement);
    if (judgement.finding !== 'more_trials') return judgement;
  }
  return { figures, finding: 'more_trials' };
}

const states: Readonly<Record<string, string>> = {
  more_trials: 'Candidate',
  evidence_suffices: 'Active',
  evidence_against: 'Rejected',
  gate_failed: 'Rejected',
};

/** A candidate that is admitted by itself. */
const alone = { isOpen: true, others: [] };

describe('a decision', () => {
  test('is that of exact fractions after every trial', () => {
    const utility = fc.oneof(fc.constantFrom(0, 1_000, 500), fc.integer({ min: 0, max: 1_000 }));
    const trial = fc.record({ baseline: utility, candidate: utility });
    const rules = fc.record({
      qualification_trials: fc.integer({ min: 2, max: 30 }),
      confidence_delta: fc.integer({ min: 1, max: 499 }).map((number) => number / 1_000),
      min_improvement: fc.constantFrom(0, 0, 0.1, 0.25, 0.999),
      min_candidate_utility: fc.constantFrom(0, 0.5, 0.8),
    });
    fc.assert(
      fc.property(rules, fc.array(trial, { maxLength: 30 }), (chosen, trials) => {
        let figures: Figures = noFigures;
        for (const [at, { baseline, candidate }] of trials.entries()) {
          const measured = {
            ...win,
            baselineUtility: baseline / 1_000,
            candidateUtility: candidate / 1_000,
          };
          const judgement = judgeBet({ ...policy, ...chosen }, figures, measured);
          ({ figures } = judgement);
          const state = states[judgement.finding];
          expect(state).toBe(stateOfBets(trials.slice(0, at + 1), chosen));
          if (state !== 'Candidate') return;
        }
      }),
      { numRuns: 200 },
    );
  });

  test('comes after five wins in a row at a delta of 0.1, and waits for a useful mean', () => {
    const { figures, finding } = judged(Array(9).fill(win));
    expect(finding).toBe('evidence_suffices');
    expect(figures.qualificationCount).toBe(5);
    const small = { ...win, candidateUtility: 0.4 };
    const picky = { ...policy, min_candidate_utility: 0.5 };
    expect(judged(Array(60).fill(small), picky).finding).toBe('more_trials');
    expect(judged(Array(60).fill(small)).finding).toBe('evidence_suffices');
  });

  test('rejects at once what is over a budget, worse, or undecided at the last trial', () => {
    expect(judged([{ ...win, costUnits: 11 }]).finding).toBe('budget_exceeded');
    expect(judged([{ ...win, latencyMs: 101 }]).finding).toBe('budget_exceeded');
    const worse = judged(Array(200).fill(loss));
    expect(worse.finding).toBe('evidence_against');
    expect(worse.figures.qualificationCount).toBe(5);
    const equal = judged(Array(300).fill({ ...win, baselineUtility: 1 }));
    expect(equal.finding).toBe('gate_failed');
    expect(equal.figures.qualificationCount).toBe(200);
  });

  test('comes when the evidence said that it would', () => {
    const outcomes = fc.array(fc.constantFrom(win, loss, { ...win, baselineUtility: 1 }));
    fc.assert(
      fc.property(outcomes, (trials) => {
        const { figures, finding } = judged(trials);
        if (finding !== 'more_trials') return;
        const { winsToAccept, lossesToReject } = bettingStanding(policy, figures, alone);
        const after = (row: readonly Measurement[]) => {
          let it: Figures = figures;
          return row.map((trial) => {
            const judgement = judgeBet(policy, it, trial);
            ({ figures: it } = judgement);
            return judgement.finding;
          });
        };
        const wins = after(Array<Measurement>(winsToAccept!).fill(win));
        expect(wins.indexOf('evidence_suffices')).toBe(winsToAccept! - 1);
        const losses = after(Array<Measurement>(lossesToReject!).fill(loss));
        expect(losses.indexOf('evidence_against')).toBe(lossesToReject! - 1);
      }),
    );
  });

  test('leaves bounds that hold between them what the trials show', () => {
    const { figures } = judged(Array(5).fill(win));
    const shown = bettingStanding(policy, figures, { ...alone, isOpen: false });
    expect(shown).toMatchObject({ decidingWealth: 10, winsToAccept: null, lossesToReject: null });
    expect(shown.wealth).toBeGreaterThanOrEqual(10);
    expect(shown.lowerBound).toBe(figures.lowerImprovementBound);
    expect(shown.lowerBound).toBeGreaterThanOrEqual(0);
    expect(shown.upperBound).toBe(1);
    const none = bettingStanding(policy, noFigures, alone);
    expect(none).toMatchObject({ wealth: 1, opposingWealth: 1, lowerBound: -1, upperBound: 1 });
  });
});

/** Remembers the verdict about wins and losses. Ties change nothing where the least is 0. */
function rememberedVerdicts(least = 0) {
  const known = new Map<number, 'accept' | 'reject' | undefined>();
  const enough = decidingWealth(policy);
  return (wins: number, losses: number) => {
    const key = wins * 10_000 + losses;
    if (!known.has(key)) {
      const counts = [[-1_000, losses] as const, [1_000, wins] as const];
      const isRefuted = wealthOf(exchanged(counts), -least) >= enough;
      const verdict = isRefuted ? 'reject' : undefined;
      known.set(key, wealthOf(counts, least) >= enough ? 'accept' : verdict);
    }
    return known.get(key);
  };
}

/** A share of 20,000 that has a chance of delta, and three standard deviations more. */
const most = 0.1 + 3 * Math.sqrt((0.1 * 0.9) / 20_000);

/** The chances of a win and of a loss in the next trial. */
type Chances = (wins: number, losses: number) => readonly [win: number, loss: number];

/** Plays one candidate until a look decides. */
function play(
  roll: () => number,
  chances: Chances,
  verdict: ReturnType<typeof rememberedVerdicts>,
) {
  let [wins, losses] = [0, 0];
  for (let trial = 1; trial <= 500; trial += 1) {
    const [win, loss] = chances(wins, losses);
    const drawn = roll();
    if (drawn < win) wins += 1;
    else if (drawn < win + loss) losses += 1;
    else continue;
    const decided = verdict(wins, losses);
    if (decided !== undefined) return { decided, trial };
  }
  return { decided: undefined, trial: 500 };
}

describe('twenty thousand candidates that are no better', () => {
  test.each<[string, Chances, least?: number]>([
    ['independent outcomes', () => [0.25, 0.25]],
    ['no ties', () => [0.5, 0.5]],
    ['few differences', () => [0.02, 0.02]],
    ['trials that are bold when behind', (a, b) => (a > b ? [0.05, 0.05] : [0.5, 0.5])],
    ['trials that are bold when ahead', (a, b) => (a > b ? [0.5, 0.5] : [0.05, 0.05])],
    ['an end as soon as ahead', (a, b) => (a > b + 2 ? [0, 0.2] : [0.5, 0.5])],
    ['worse candidates', () => [0.2, 0.25]],
    ['an improvement of just the minimum', () => [0.55, 0.45], 100],
  ])(
    'BET-7 are accepted less often than delta with looks after each trial: %s',
    (_, chances, least) => {
      const verdict = rememberedVerdicts(least);
      const roll = sharesFrom(inject('seed'));
      let accepted = 0;
      for (let at = 0; at < 20_000; at += 1) {
        if (play(roll, chances, verdict).decided === 'accept') accepted += 1;
      }
      expect(accepted / 20_000).toBeLessThan(most);
    },
  );
});

test('BET-10 each bound holds at all looks together, but for a chance of delta', () => {
  const roll = sharesFrom(inject('seed'));
  const verdict = rememberedVerdicts(200);
  const refuted = { accept: 0, reject: 0 };
  for (let at = 0; at < 20_000; at += 1) {
    // The difference is 0.2. Bets that refute it move a bound past it.
    const { decided } = play(roll, () => [0.6, 0.4], verdict);
    if (decided !== undefined) refuted[decided] += 1;
  }
  expect(refuted.accept / 20_000).toBeLessThan(most);
  expect(refuted.reject / 20_000).toBeLessThan(most);
});

/**
 * Chances where baseline and candidate succeed by the same luck in a share of the cases, and else
 * independently.
 */
function chancesOf(baseline: number, candidate: number, shared: number): Chances {
  const apart = 1 - shared;
  const win = shared * (candidate - baseline) + apart * candidate * (1 - baseline);
  return () => [win, apart * baseline * (1 - candidate)];
}

test.each([
  { baseline: 0.6, candidate: 0.9, shared: 0, median: 27 },
  { baseline: 0.6, candidate: 0.9, shared: 0.7, median: 23 },
  { baseline: 0.5, candidate: 0.7, shared: 0, median: 66 },
  { baseline: 0.5, candidate: 0.7, shared: 0.7, median: 36 },
  { baseline: 0.6, candidate: 0.7, shared: 0, median: 285 },
  { baseline: 0.6, candidate: 0.7, shared: 0.7, median: 101 },
])('$baseline against $candidate, $shared shared, takes $median trials', (row) => {
  const roll = sharesFrom(inject('seed'));
  const verdict = rememberedVerdicts();
  const trials = Array.from({ length: 2_001 }, () => {
    const chances = chancesOf(row.baseline, row.candidate, row.shared);
    const { decided, trial } = play(roll, chances, verdict);
    return decided === 'accept' ? trial : Infinity;
  });
  const median = trials.sort((first, second) => first - second)[1_000]!;
  expect(median).toBeLessThanOrEqual(row.median * 1.1);
});
