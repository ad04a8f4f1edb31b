/** The statistics of learning: the numbers of the contract and the limits of every gate. */
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

const policy: PolicyParameters = {
  qualification_trials: 32,
  confidence_delta: 0.01,
  min_improvement: 0.05,
  min_candidate_utility: 0.5,
  max_cost_units: 10,
  max_latency_ms: 100,
  max_failure_streak: 3,
  evaluator_id: 'judge',
  evaluation_contract: 'contract',
};
const perfect: Measurement = {
  baselineUtility: 0,
  candidateUtility: 1,
  costUnits: 10,
  latencyMs: 100,
};

/** Returns the findings of a sequence of trials. */
function judged(trials: readonly Measurement[], parameters = policy) {
  const findings: string[] = [];
  let figures: Figures = noFigures;
  for (const trial of trials) {
    const judgement = judgeTrial(parameters, figures, trial);
    figures = judgement.figures;
    findings.push(judgement.finding);
  }
  return { figures, findings };
}
const repeated = (count: number, trial: Measurement = perfect): Measurement[] =>
  Array.from({ length: count }, () => trial);

describe('the bound', () => {
  test('has the radius of the contract', () => {
    expect(confidenceRadius(32, 0.01)).toBeCloseTo(0.53649, 5);
    expect(confidenceRadius(2, 0.01)).toBeCloseTo(2.14597, 5);
    expect(confidenceRadius(1_000_000, Number.MIN_VALUE)).toBeCloseTo(0.03859, 5);
  });

  test('of an all-perfect candidate is about 0.4635', () => {
    expect(lowerImprovementBound(1, 32, 0.01)).toBeCloseTo(0.46351, 5);
  });

  test('is never below -1', () => {
    expect(lowerImprovementBound(1, 2, 0.01)).toBe(-1);
    expect(lowerImprovementBound(-1, 1_000_000, 0.4)).toBe(-1);
  });
});

describe('trials', () => {
  test('decide nothing before the last trial', () => {
    const { figures, findings } = judged(repeated(31));
    expect(new Set(findings)).toEqual(new Set(['more_trials']));
    expect(figures).toMatchObject({ qualificationCount: 31, lowerImprovementBound: null });
  });

  test('qualify an all-perfect candidate at the last trial', () => {
    const { figures, findings } = judged(repeated(32));
    expect(findings.at(-1)).toBe('gates_passed');
    expect(figures.lowerImprovementBound).toBeCloseTo(0.46351, 5);
    expect(figures).toMatchObject({ meanImprovement: 1, meanCandidateUtility: 1 });
  });

  test.each([
    ['cost', { costUnits: 11 }],
    ['latency', { latencyMs: 101 }],
  ])('one trial over the budget for %s fails qualification', (_, over) => {
    const { figures, findings } = judged([{ ...perfect, ...over }, ...repeated(31)]);
    expect(figures.budgetViolations).toBe(1);
    expect(findings.at(-1)).toBe('gate_failed');
    expect(figures.lowerImprovementBound).toBeCloseTo(0.46351, 5);
  });

  test('every gate passes at equality and fails below', () => {
    const { figures } = judged(repeated(32));
    const gates = { min_improvement: figures.lowerImprovementBound ?? 0, min_candidate_utility: 1 };
    expect(judged(repeated(32), { ...policy, ...gates }).findings.at(-1)).toBe('gates_passed');
    const stricter = { ...policy, min_improvement: gates.min_improvement + Number.EPSILON };
    expect(judged(repeated(32), stricter).findings.at(-1)).toBe('gate_failed');
    const useless = { ...perfect, baselineUtility: 0, candidateUtility: 0.75 };
    const barely = { ...policy, qualification_trials: 1_000, min_candidate_utility: 0.75 };
    expect(judged(repeated(1_000, useless), barely).findings.at(-1)).toBe('gates_passed');
    const fussy = { ...barely, min_candidate_utility: 0.76 };
    expect(judged(repeated(1_000, useless), fussy).findings.at(-1)).toBe('gate_failed');
  });

  test('two trials never suffice at a delta of 0.01', () => {
    const two = { ...policy, qualification_trials: 2, min_improvement: 0 };
    expect(judged(repeated(2), two).findings.at(-1)).toBe('gate_failed');
  });
});

describe('monitoring', () => {
  const findingsOf = (row: readonly Partial<Measurement>[]): string[] => {
    let figures: Figures = noFigures;
    return row.map((each) => {
      const judgement = judgeMonitoring(policy, figures, { ...perfect, ...each });
      figures = judgement.figures;
      return `${judgement.finding} ${String(figures.failureStreak)}/${String(figures.monitoringCount)}`;
    });
  };
  const bad = { costUnits: 11 };

  test('a good evaluation ends a streak, and a full streak ends the procedure', () => {
    expect(findingsOf([bad, bad, {}, bad, bad, bad])).toEqual([
      'bad 1/1',
      'bad 2/2',
      'good 0/3',
      'bad 1/4',
      'bad 2/5',
      'bad_too_often 3/6',
    ]);
  });

  test.each([
    [
      'good',
      'as useful as required and as the baseline',
      { baselineUtility: 0.5, candidateUtility: 0.5 },
    ],
    ['bad', 'less useful than required', { candidateUtility: 0.49 }],
    ['bad', 'less useful than the baseline', { baselineUtility: 0.9, candidateUtility: 0.8 }],
    ['bad', 'too expensive', { costUnits: 11 }],
    ['bad', 'too slow', { latencyMs: 101 }],
  ])('is %s when %s', (finding, _, measured) => {
    expect(findingsOf([measured])[0]).toMatch(new RegExp(`^${finding} `));
  });

  test('does not change the figures of the qualification', () => {
    const { figures } = judged(repeated(32));
    const after = judgeMonitoring(policy, figures, perfect).figures;
    expect(after).toEqual({ ...figures, monitoringCount: 1 });
  });
});

test('a million evaluations neither drift nor overflow', () => {
  const count = 1_000_000;
  let mean = 0;
  let equal = 0;
  let sum = 0n;
  const scale = 2n ** 60n;
  for (let at = 1; at <= count; at += 1) {
    // A fixed walk through -1..1 in steps of 2^-20, so that its sum is exact as an integer.
    const step = ((at * 7_919) % 2_097_153) - 1_048_576;
    mean = runningMean(mean, step / 1_048_576, at);
    equal = runningMean(equal, 0.1, at);
    sum += BigInt(step);
  }
  const exact = Number((sum * scale) / BigInt(count) / 1_048_576n) / Number(scale);
  expect(Math.abs(mean - exact)).toBeLessThan(1e-12);
  expect(equal).toBe(0.1);
});
