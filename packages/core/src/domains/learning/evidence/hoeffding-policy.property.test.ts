/**
 * The statistics of learning agree with exact arithmetic: doubles are rationals, so their sums and
 * means can be computed without rounding.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  confidenceRadius,
  type Figures,
  judgeMonitoring,
  judgeTrial,
  lowerImprovementBound,
  type Measurement,
  noFigures,
  runningMean,
} from './hoeffding-policy.js';
import type { PolicyParameters } from '../policy/schema.js';

/** Every double is an integer multiple of 1 / UNITS_PER_ONE. */
const UNITS_PER_ONE = 2n ** 1074n;

/** Returns a double as a multiple of the smallest one. */
function unitsOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return word >> 63n === 1n ? -size : size;
}

/** Returns the distance of a double from an exact mean. */
function distance(value: number, sum: bigint, count: number): number {
  const difference = unitsOf(value) * BigInt(count) - sum;
  const scaled = (difference * 2n ** 80n) / (UNITS_PER_ONE * BigInt(count));
  return Math.abs(Number(scaled)) / 2 ** 80;
}

const utility = fc.double({ min: 0, max: 1, noNaN: true });
const amount = fc.integer({ min: 0, max: 3 });
const measurement: fc.Arbitrary<Measurement> = fc.record({
  baselineUtility: utility,
  candidateUtility: utility,
  costUnits: amount,
  latencyMs: amount,
});
const policy: fc.Arbitrary<PolicyParameters> = fc.record({
  qualification_trials: fc.integer({ min: 2, max: 40 }),
  confidence_delta: fc.double({
    min: 0,
    max: 0.5,
    minExcluded: true,
    maxExcluded: true,
    noNaN: true,
  }),
  min_improvement: fc.oneof(fc.constant(0), utility),
  min_candidate_utility: fc.oneof(fc.constant(0), utility),
  max_cost_units: amount,
  max_latency_ms: amount,
  max_failure_streak: fc.integer({ min: 1, max: 4 }),
  evaluator_id: fc.constant('judge'),
  evaluation_contract: fc.constant('contract'),
});

describe('the running mean', () => {
  test('is the exact mean, except for rounding', () => {
    const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(values, (row) => {
        let mean = 0;
        let sum = 0n;
        for (const [index, value] of row.entries()) {
          mean = runningMean(mean, value, index + 1);
          sum += unitsOf(value);
          expect(distance(mean, sum, index + 1)).toBeLessThan((index + 1) * Number.EPSILON);
        }
      }),
    );
  });

  test('of equal values is exactly that value', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(500), (value, more) => {
        let mean = 0;
        for (let count = 1; count <= more + 1; count += 1) mean = runningMean(mean, value, count);
        expect(mean).toBe(value + 0);
      }),
    );
  });
});

describe('the bound', () => {
  const trials = fc.integer({ min: 2, max: 1_000_000 });
  const delta = fc.double({ min: 0, max: 0.5, minExcluded: true, maxExcluded: true, noNaN: true });

  test('satisfies the inequality: exp(-n t^2 / 2) is delta at the radius', () => {
    fc.assert(
      fc.property(trials, delta, (count, chance) => {
        const radius = confidenceRadius(count, chance);
        expect(Number.isFinite(radius)).toBe(true);
        const exponent = (-count * radius ** 2) / 2;
        expect(Math.abs(exponent - Math.log(chance))).toBeLessThan(1e-9 * Math.abs(exponent));
      }),
    );
  });

  test('rises with more trials, falls with more confidence, and is within -1..mean', () => {
    const mean = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(trials, delta, mean, (count, chance, value) => {
        const bound = lowerImprovementBound(value, count, chance);
        expect(bound).toBeGreaterThanOrEqual(-1);
        expect(bound).toBeLessThanOrEqual(value);
        expect(lowerImprovementBound(value, count + 1, chance)).toBeGreaterThanOrEqual(bound);
        expect(lowerImprovementBound(value, count, chance / 2)).toBeLessThanOrEqual(bound);
      }),
    );
  });
});

test('trials are judged as by a naive implementation of the contract', () => {
  fc.assert(
    fc.property(policy, fc.array(measurement, { minLength: 40, maxLength: 40 }), (it, row) => {
      const trials = row.slice(0, it.qualification_trials);
      let figures: Figures = noFigures;
      let finding = '';
      for (const trial of trials) ({ figures, finding } = judgeTrial(it, figures, trial));
      const sumOf = (pick: (each: Measurement) => number): bigint =>
        trials.reduce((sum, each) => sum + unitsOf(pick(each)), 0n);
      const count = trials.length;
      const improvement = sumOf((each) => each.candidateUtility - each.baselineUtility);
      expect(figures.qualificationCount).toBe(count);
      expect(distance(figures.meanImprovement, improvement, count)).toBeLessThan(1e-13);
      expect(
        distance(
          figures.meanCandidateUtility,
          sumOf((each) => each.candidateUtility),
          count,
        ),
      ).toBeLessThan(1e-13);
      const over = trials.filter(
        (each) => each.costUnits > it.max_cost_units || each.latencyMs > it.max_latency_ms,
      );
      expect(figures.budgetViolations).toBe(over.length);
      const lower = Math.max(
        -1,
        figures.meanImprovement - Math.sqrt((2 * -Math.log(it.confidence_delta)) / count),
      );
      expect(figures.lowerImprovementBound).toBeCloseTo(lower, 12);
      const isPassed =
        (figures.lowerImprovementBound ?? -1) >= it.min_improvement &&
        figures.meanCandidateUtility >= it.min_candidate_utility &&
        over.length === 0;
      expect(finding).toBe(isPassed ? 'gates_passed' : 'gate_failed');
    }),
  );
});

test('monitoring ends at the first streak that is long enough, not earlier', () => {
  fc.assert(
    fc.property(policy, fc.array(measurement, { maxLength: 20 }), (it, row) => {
      const good = row.map(
        (each) =>
          each.costUnits <= it.max_cost_units &&
          each.latencyMs <= it.max_latency_ms &&
          each.candidateUtility >= it.min_candidate_utility &&
          each.candidateUtility >= each.baselineUtility,
      );
      let figures: Figures = noFigures;
      for (const [index, each] of row.entries()) {
        const judgement = judgeMonitoring(it, figures, each);
        figures = judgement.figures;
        const streak = index - good.lastIndexOf(true, index);
        expect(figures).toMatchObject({ monitoringCount: index + 1, failureStreak: streak });
        const isOver = streak >= it.max_failure_streak;
        expect(judgement.finding).toBe(streak === 0 ? 'good' : isOver ? 'bad_too_often' : 'bad');
        if (isOver) return;
      }
    }),
  );
});
