/** Evidence of degradation suspends soon, seldom falsely, and when it said that it would. */
import { isDegraded } from '@agentkeep/testkit/exact-bets';
import { sharesFrom } from '@agentkeep/testkit/random';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { degradationStanding, judgeDegradation } from './degradation-policy.js';
import { type Figures, type Measurement, noFigures } from './hoeffding-policy.js';
import type { PolicyParameters } from '../policy/schema.js';

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
  false_suspension_trials: 100,
};

function measured(baselineUtility: number, candidateUtility: number): Measurement {
  return { baselineUtility, candidateUtility, costUnits: 1, latencyMs: 1 };
}

/** Watches evaluations until they suspend, and returns how many it took. */
function watched(
  next: (figures: Figures) => Measurement | undefined,
  chosen: PolicyParameters = policy,
): { readonly figures: Figures; readonly suspendedAt: number | undefined } {
  let figures = noFigures;
  for (;;) {
    const evaluation = next(figures);
    if (evaluation === undefined) return { figures, suspendedAt: undefined };
    const judgement = judgeDegradation(chosen, figures, evaluation);
    ({ figures } = judgement);
    if (judgement.finding === 'degraded') return { figures, suspendedAt: figures.monitoringCount };
  }
}

function inTurn(evaluations: readonly Measurement[]) {
  return ({ monitoringCount }: Figures) => evaluations[monitoringCount];
}

const utility = fc.constantFrom(0, 0, 0.25, 0.5, 0.999, 1, 1);

test('BET-16 the verdict is that of exact fractions', () => {
  const evaluations = fc.array(fc.tuple(utility, utility, fc.boolean()), { maxLength: 80 });
  const rules = fc.record({
    min_candidate_utility: fc.constantFrom(0, 0.5, 1),
    false_suspension_trials: fc.constantFrom(10, 30, 1_000),
  });
  fc.assert(
    fc.property(evaluations, rules, (rows, chosen) => {
      const { suspendedAt } = watched(
        inTurn(
          rows.map(([baseline, candidate, isDear]) => {
            const it = measured(baseline, candidate);
            return isDear && candidate === 0.25 ? { ...it, costUnits: 11 } : it;
          }),
        ),
        { ...policy, ...chosen },
      );
      const bets = rows.map(([baseline, candidate, isDear]) => ({
        baseline: baseline * 1_000,
        candidate: isDear && candidate === 0.25 ? 0 : candidate * 1_000,
      }));
      const { min_candidate_utility: least, false_suspension_trials: trials } = chosen;
      const lengths = rows.map((_, at) => at + 1);
      const expected = lengths.find((length) => isDegraded(bets.slice(0, length), least, trials));
      expect(suspendedAt).toBe(expected);
    }),
  );
});

/** The mean number of evaluations until a suspension, and its standard error. */
function runLength(runs: number, next: (roll: () => number, at: number) => Measurement) {
  const roll = sharesFrom(inject('seed'));
  const lengths = Array.from({ length: runs }, () => {
    const { figures } = watched(({ monitoringCount: at }) =>
      at === 4_000 ? undefined : next(roll, at),
    );
    return figures.monitoringCount;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / runs;
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / runs;
  return { mean, error: Math.sqrt(variance / runs) };
}

const bit = (roll: () => number, chance: number): number => (roll() < chance ? 1 : 0);

describe('BET-17 a thousand procedures that are no worse', () => {
  test.each<[string, (roll: () => number, at: number) => Measurement]>([
    ['independent outcomes', (roll) => measured(bit(roll, 0.5), bit(roll, 0.5))],
    ['few differences', (roll) => (roll() < 0.9 ? measured(1, 1) : swapped(roll))],
    ['calm, then wild', (roll, at) => (at < 60 ? measured(1, 1) : swapped(roll))],
    ['better procedures', (roll) => measured(bit(roll, 0.5), bit(roll, 0.6))],
  ])('are not suspended before 100 evaluations on average: %s', (_, next) => {
    const { mean, error } = runLength(1_000, next);
    expect(mean + 3 * error).toBeGreaterThan(100);
  });
});

function swapped(roll: () => number): Measurement {
  return roll() < 0.5 ? measured(1, 0) : measured(0, 1);
}

test('a procedure that fails where the baseline does not is suspended after some ten', () => {
  const better = Array<Measurement>(200).fill(measured(0, 1));
  const { suspendedAt } = watched(
    inTurn([...better, ...Array<Measurement>(50).fill(measured(1, 0))]),
  );
  expect(suspendedAt).toBeGreaterThan(203);
  expect(suspendedAt).toBeLessThan(215);
});

test('too low a utility suspends although the baseline is no better, and so does any cost', () => {
  const picky = { ...policy, min_candidate_utility: 0.8 };
  const low = Array<Measurement>(100).fill(measured(0.2, 0.2));
  expect(watched(inTurn(low)).suspendedAt).toBeUndefined();
  expect(watched(inTurn(low), picky).suspendedAt).toBeLessThan(20);
  const dear = Array<Measurement>(100).fill({ ...measured(0.5, 1), costUnits: 11 });
  expect(watched(inTurn(dear)).suspendedAt).toBeLessThan(20);
});

test('a number of failures in a row does not suspend by itself', () => {
  const rows = [measured(1, 0), measured(1, 0), measured(1, 0), measured(0, 1)];
  const { figures, suspendedAt } = watched(inTurn(rows));
  expect(suspendedAt).toBeUndefined();
  expect(figures).toMatchObject({ monitoringCount: 4, failureStreak: 0 });
});

test('suspends when the evidence said that it would', () => {
  const evaluations = fc.array(fc.tuple(utility, utility), { maxLength: 20 });
  fc.assert(
    fc.property(evaluations, (rows) => {
      const { figures, suspendedAt } = watched(inTurn(rows.map((row) => measured(...row))));
      if (suspendedAt !== undefined) return;
      const { lossesToSuspend } = degradationStanding(policy, figures, true);
      let after = figures;
      const findings = Array.from({ length: lossesToSuspend ?? 0 }, () => {
        const judgement = judgeDegradation(policy, after, measured(1, 0));
        ({ figures: after } = judgement);
        return judgement.finding;
      });
      expect(findings.indexOf('degraded')).toBe(findings.length - 1);
    }),
  );
  const none = degradationStanding(policy, noFigures, false);
  expect(none).toEqual({ evidence: 0, decidingEvidence: 100, lossesToSuspend: null });
});
