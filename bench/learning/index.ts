/**
 * Compares how many cases the algorithms of learning policies need with tests that look once. All
 * figures come from simulated candidates, always the same ones, so they are the same everywhere.
 */
import { planEvaluation } from '@agentkeep/core';
import type { Reading } from '../measure.js';
import { acceptedShares, bernstein, exact, type FixedTest, type Setting } from './fixed-tests.js';
import { powerPlot } from './power-plot.js';

const DELTA = 0.1;
/** The chance with which an improvement is to be seen. */
const WANTED = 0.8;
const CASES_MAX = 2_000;

const settings: readonly Setting[] = [
  { baseline: 0.6, difference: 0.3, shared: 0 },
  { baseline: 0.6, difference: 0.3, shared: 0.7 },
  { baseline: 0.5, difference: 0.2, shared: 0 },
  { baseline: 0.5, difference: 0.2, shared: 0.7 },
  { baseline: 0.6, difference: 0.1, shared: 0 },
  { baseline: 0.6, difference: 0.1, shared: 0.7 },
];

/** One reading per setting: cases that see it in 80 of 100, and those that bets usually need. */
export function* learningBenchmarks(rows = settings): Generator<Reading, void> {
  for (const setting of rows) {
    const { baseline, difference, shared } = setting;
    const [fixed, bets] = planEvaluation({ ...setting, delta: DELTA, chance: WANTED });
    const usual = planEvaluation({ ...setting, delta: DELTA, trials: 5_000 })[1]?.usualTrials;
    yield {
      name: learningRow(baseline, difference, shared),
      figures: {
        hoeffding: fixed?.trials ?? NaN,
        bernstein: casesNeeded(bernstein, setting),
        exact: casesNeeded(exact, setting),
        bets: bets?.trials ?? NaN,
        bets_half: usual ?? NaN,
      },
    };
  }
}

/** Names a row. */
function learningRow(baseline: number, difference: number, shared: number): string {
  const luck = shared === 0 ? 'independent' : `same luck in ${Math.round(shared * 100)} %`;
  const [from, to] = [baseline, baseline + difference].map((each) => Math.round(each * 100));
  return `learning, ${from} % to ${to} %, ${luck}`;
}

const PLOTTED_CASES = [25, 35, 50, 70, 100, 140, 200, 280, 400, 560, 800];

/** Draws the chances of one setting. */
export function learningPlot(cases: readonly number[] = PLOTTED_CASES): string {
  const setting = { baseline: 0.6, difference: 0.2, shared: 0.7 };
  const planned = cases.map((trials) => planEvaluation({ ...setting, trials, delta: DELTA }));
  const chances = (at: number): number[] => planned.map((plans) => plans[at]?.chance ?? 0);
  const shares = (test: FixedTest): number[] => acceptedShares(test, setting, cases, DELTA);
  return powerPlot('Chance to see 60 % become 80 %, with the same luck in 70 %', cases, [
    { title: 'fixed budget', chances: chances(0) },
    { title: 'Bernstein, one look', chances: shares(bernstein) },
    { title: 'bets, any look', chances: chances(1) },
    { title: 'exact test, one look', chances: shares(exact) },
  ]);
}

/** Returns the least number of cases from which on a test sees a setting often enough. */
function casesNeeded(test: FixedTest, setting: Setting): number {
  const cases = Array.from({ length: CASES_MAX - 1 }, (_, at) => at + 2);
  const shares = acceptedShares(test, setting, cases, DELTA);
  return (cases[shares.findLastIndex((share) => share < WANTED)] ?? 1) + 1;
}
