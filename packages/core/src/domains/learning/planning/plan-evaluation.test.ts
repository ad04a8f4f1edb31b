/** Plans agree with exact chances, with the policies that they foresee, and with themselves. */
import { describe, expect, test } from 'vitest';
import { judgeBet } from '../evidence/betting-policy.js';
import { confidenceRadius, type Figures, noFigures } from '../evidence/hoeffding-policy.js';
import { type AlgorithmPlan, planEvaluation, type PlanOptions } from './plan-evaluation.js';

/** Returns the plans with a fixed budget and with bets. */
function planned(options: PlanOptions): readonly [fixed: AlgorithmPlan, bets: AlgorithmPlan] {
  const [fixed, bets] = planEvaluation(options);
  return [fixed!, bets!];
}

/** The probability of `least` successes or more. */
function tail(trials: number, success: number, least: number): number {
  let term = (1 - success) ** trials;
  let below = 0;
  for (let count = 0; count < least; count += 1) {
    below += term;
    term *= ((trials - count) / (count + 1)) * (success / (1 - success));
  }
  return 1 - below;
}

describe('the chance of a plan', () => {
  test('with a fixed budget is that of the binomial distribution', () => {
    // By the same luck the candidate never loses, so the differences are zeros and ones.
    for (const [trials, difference] of [
      [64, 0.3],
      [128, 0.25],
      [400, 0.1],
    ] as const) {
      const [{ chance }] = planned({ trials, difference, baseline: 0.5, shared: 1 });
      const least = Math.ceil(trials * confidenceRadius(trials, 0.1) - 1e-9);
      expect(Math.abs(chance! - tail(trials, difference, least))).toBeLessThan(0.05);
    }
  });

  test('with bets is that of the policy on other outcomes', () => {
    const policy = {
      ...{ qualification_trials: 60, confidence_delta: 0.2, min_improvement: 0.05 },
      ...{ min_candidate_utility: 0, max_cost_units: 1, max_latency_ms: 1 },
      ...{ max_failure_streak: 1, evaluator_id: 'judge', evaluation_contract: 'v1' },
    };
    let state = 7;
    const roll = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
    let accepted = 0;
    for (let at = 0; at < 1_000; at += 1) {
      let figures: Figures = noFigures;
      for (let finding = 'more_trials'; finding === 'more_trials';) {
        const baselineUtility = roll() < 0.5 ? 1 : 0;
        const candidateUtility = roll() < 0.75 ? 1 : 0;
        const measured = { baselineUtility, candidateUtility, costUnits: 1, latencyMs: 1 };
        ({ figures, finding } = judgeBet(policy, figures, measured));
        if (finding === 'evidence_suffices') accepted += 1;
      }
    }
    const assumed = { trials: 60, difference: 0.25, delta: 0.2, minImprovement: 0.05 };
    const [, { chance }] = planned(assumed);
    expect(Math.abs(chance! - accepted / 1_000)).toBeLessThan(0.06);
  });
});

test('the least improvement, the least trials and the chance belong together', () => {
  const seen = planned({ trials: 200, baseline: 0.6 });
  for (const [at, { difference, chance }] of seen.entries()) {
    expect(chance).toBeGreaterThanOrEqual(0.8);
    const same = planned({ trials: 200, baseline: 0.6, difference: difference! })[at]!;
    expect(same.chance).toBe(chance);
    const less = planned({ trials: 200, baseline: 0.6, difference: difference! - 0.01 })[at]!;
    expect(less.chance).toBeLessThan(0.8);
    const { trials } = planned({ baseline: 0.6, difference: difference! })[at]!;
    expect(trials).toBeLessThanOrEqual(200);
    const enough = planned({ trials: trials!, baseline: 0.6, difference: difference! })[at]!;
    expect(enough.chance).toBeGreaterThanOrEqual(0.8);
  }
});

test('bets see less than a fixed budget, usually sooner, and more where luck is shared', () => {
  const [fixed, bets] = planned({ trials: 200, baseline: 0.6 });
  expect(bets.difference).toBeLessThan(fixed.difference!);
  expect(fixed.usualTrials).toBe(200);
  expect(bets.usualTrials).toBeLessThan(100);
  const [, paired] = planned({ trials: 200, baseline: 0.6, shared: 0.7 });
  expect(paired.difference).toBeLessThan(bets.difference!);
});

test('says so where nothing is seen, and refuses numbers out of range', () => {
  const [fixed] = planned({ trials: 10 });
  expect(fixed).toMatchObject({ difference: null, chance: null, usualTrials: null });
  expect(planned({ difference: 0.002, shared: 0.9 })[1].trials).toBeNull();
  expect(() => planEvaluation({})).toThrow(RangeError);
  expect(() => planEvaluation({ trials: 1 })).toThrow('trials has to be a number from 2');
  expect(() => planEvaluation({ difference: 0.6 })).toThrow('from 0 to 0.5');
  expect(() => planEvaluation({ trials: 40, delta: 0 })).toThrow('delta');
});
