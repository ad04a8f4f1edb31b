/** Cases of policies that bet (docs/contract/betting.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { bothWays } from '../harness/fixture.js';
import { definition, submission } from './learning-documents.js';
import { type Class, lesson, openClass } from './learning-fixture.js';

const parameters = { qualification_trials: 20, confidence_delta: 0.1 };

/** Declares a test with a policy that bets. */
function bet(title: string, run: (parties: Class) => Promise<void>): void {
  bothWays(title, async (t) => run(await openClass(t, parameters, 'betting_e_process_v1')));
}

const loss = { baseline_utility: 1, candidate_utility: 0 };

bet('BET-C1 a policy that bets has bounds of its own', async ({ registrar }) => {
  const register = (members: Members, algorithm: string) => {
    const document = { contract_version: 1, id: 'new', definition: definition(members, algorithm) };
    return registrar.caller.call('registerLearningPolicy', { document });
  };
  for (const members of [{ confidence_delta: 1e-10 }, { min_improvement: 1 }]) {
    expect(outcome(await register(members, 'betting_e_process_v1'))).toBe(refused.invalid);
  }
  expect(outcome(await register({}, 'betting_e_process_v2'))).toBe(refused.invalid);
  result(await register({ confidence_delta: 1e-9 }, 'betting_e_process_v1'));
});

bet('BET-C2 enough evidence decides before the last trial', async ({ author, judge }) => {
  result(await author.propose());
  await judge.qualify(4);
  expect(await author.record()).toMatchObject({ state: 'Candidate', decisions: [] });
  expect((await author.record()).betting).toMatchObject({ wins_to_accept: 1, trials_left: 16 });
  result(await judge.evaluate(submission('last')));
  const { betting, ...record } = await author.record();
  expect(record).toMatchObject({ state: 'Active', qualification_count: 5, mean_improvement: 1 });
  expect(record.decisions).toHaveLength(1);
  expect(betting).toMatchObject({ deciding_wealth: 10, upper_bound: 1 });
  expect(betting).toMatchObject({ wins_to_accept: null, losses_to_reject: null });
  expect(betting!.wealth).toBeGreaterThanOrEqual(10);
  expect(record.lower_improvement_bound).toBe(betting!.lower_bound);
  expect(await author.selected()).toBe('c1');
  // The receipt of the proposal stays as it was.
  const { receipt } = result(await author.propose());
  expect(receipt.record).toMatchObject({ state: 'Candidate', betting: { wealth: 1 } });
});

bet('BET-C3 enough evidence against a candidate rejects it', async ({ author, judge }) => {
  result(await author.propose());
  await judge.qualify(5, 'c1', loss);
  const { betting, ...record } = await author.record();
  expect(record).toMatchObject({ state: 'Rejected', qualification_count: 5, mean_improvement: -1 });
  expect(record.lower_improvement_bound).toBe(-1);
  expect(betting!.opposing_wealth).toBeGreaterThanOrEqual(10);
  expect(betting!.upper_bound).toBeLessThan(0);
  expect(await author.selected()).toBe('baseline base-1');
});

bet('BET-C4 budgets, the last trial and the mean utility', async ({ author, judge }) => {
  for (const id of ['dear', 'equal', 'poor']) result(await author.propose({ id }));
  await judge.qualify(1, 'dear', { candidate_cost_units: 11 });
  expect(await author.record('dear')).toMatchObject({ state: 'Rejected', budget_violations: 1 });
  await judge.qualify(19, 'equal', { baseline_utility: 1 });
  expect(await author.record('equal')).toMatchObject({ state: 'Candidate' });
  result(await judge.evaluate(submission('twentieth', { baseline_utility: 1 }), 'equal'));
  expect(await author.record('equal')).toMatchObject({ state: 'Rejected' });
  await judge.qualify(18, 'poor', { candidate_utility: 0.4 });
  const { state, betting } = await author.record('poor');
  expect(state).toBe('Candidate');
  expect(betting!.wealth).toBeGreaterThan(10);
});

bet('BET-C5 the order of trials changes nothing', async ({ author, judge }) => {
  const quarter = { baseline_utility: 0.25 };
  const histories = [
    ['c1', [{}, loss, { candidate_utility: 0.3334 }, quarter]],
    ['c2', [quarter, { candidate_utility: 0.3331 }, loss, {}]],
  ] as const;
  for (const [id, trials] of histories) {
    result(await author.propose({ id }));
    for (const [at, members] of trials.entries()) {
      result(await judge.evaluate(submission(`case ${at}`, members), id));
    }
  }
  const first = await author.record('c1');
  expect(first.betting).toMatchObject({ trials_left: 16 });
  expect((await author.record('c2')).betting).toEqual(first.betting);
  expect(first.mean_candidate_utility).toBe(0.583_25);
});

bet('BET-C6 a new candidate says what would decide', async ({ author }) => {
  result(await author.propose());
  expect((await author.record()).betting).toEqual({
    ...{ wealth: 1, opposing_wealth: 1, deciding_wealth: 10, lower_bound: -1, upper_bound: 1 },
    ...{ trials_left: 20, wins_to_accept: 5, losses_to_reject: 5 },
  });
});

lesson('BET-C6 a fixed budget has no bets', async ({ author }) => {
  result(await author.propose());
  expect(await author.record()).not.toHaveProperty('betting');
});
