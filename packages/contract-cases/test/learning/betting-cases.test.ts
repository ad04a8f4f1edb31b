/** Cases of policies that bet (docs/contract/betting.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { missionScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { definition, submission } from './learning-documents.js';
import { type Class, lesson, openClass } from './learning-fixture.js';

const parameters = { qualification_trials: 20, confidence_delta: 0.1 };

/** Declares a test with a policy that bets. */
function bet(
  title: string,
  run: (parties: Class) => Promise<void>,
  further: Readonly<Record<string, number>> = {},
): void {
  const policy = { ...parameters, ...further };
  testCase(title, async (t) => run(await openClass(t, policy, 'betting_e_process_v1')));
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
  const further = [{ max_candidates: 2 }, { false_suspension_trials: 10 }];
  for (const members of further) {
    expect(outcome(await register(members, 'fixed_budget_hoeffding_v1'))).toBe(refused.invalid);
  }
  const wrong = [
    ...[{ max_candidates: 1 }, { max_candidates: 257 }, { false_suspension_trials: 9 }],
    { max_candidates: 2, confidence_delta: 9e-7 },
  ];
  for (const members of wrong) {
    expect(outcome(await register(members, 'betting_e_process_v1'))).toBe(refused.invalid);
  }
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

bet(
  'BET-C7, BET-14 candidates are accepted together',
  async ({ author, judge }) => {
    for (const id of ['c1', 'c2', 'c3']) result(await author.propose({ id }));
    await judge.qualify(7, 'c1');
    await judge.qualify(6, 'c2');
    const waiting = await author.record('c2');
    expect(waiting).toMatchObject({ state: 'Candidate' });
    // Two of four need 20 each; one alone needs 40.
    expect(waiting.betting).toMatchObject({ deciding_wealth: 20, wins_to_accept: 1 });
    expect(waiting.betting!.family).toEqual({ max_candidates: 4, candidates: 3, accepted: 0 });
    expect((await author.record('c3')).betting).toMatchObject({ deciding_wealth: 13.333_334 });
    expect((await author.record('c1')).betting).toMatchObject({ deciding_wealth: 40 });
    const { receipt } = result(await judge.evaluate(submission('c2 trial 7'), 'c2'));
    expect(receipt.state_after).toBe('Active');
    for (const id of ['c1', 'c2']) {
      const record = await author.record(id);
      expect(record).toMatchObject({ state: 'Active', qualification_count: 7 });
      expect(record.decisions).toEqual([
        expect.objectContaining({ to: 'Active', triggering_case: 'c2 trial 7' }),
      ]);
      expect(record.betting!.family).toEqual({ max_candidates: 4, candidates: 3, accepted: 2 });
      expect(record.lower_improvement_bound).toBe(record.betting!.lower_bound);
    }
    expect(await author.selected()).toBe('c1');
    // The third of three needs 40 / 3.
    await judge.qualify(6, 'c3');
    expect(await author.record('c3')).toMatchObject({ state: 'Active' });
    // A receipt never changes, so it shows no family.
    const { receipt: first } = result(await author.propose({ id: 'c1' }));
    expect(first.record.betting).not.toHaveProperty('family');
  },
  { max_candidates: 4 },
);

bet(
  'BET-C8, BET-15 a family has as many candidates as its policy states, for each scope',
  async ({ author, judge }) => {
    for (const id of ['c1', 'c2']) result(await author.propose({ id }));
    await judge.qualify(5, 'c1', loss);
    expect(await author.record('c1')).toMatchObject({ state: 'Rejected' });
    expect(outcome(await author.propose({ id: 'c3' }))).toBe(refused.invalid);
    // A replay is answered, and another scope has a family of its own.
    expect(outcome(await author.propose({ id: 'c2' }))).toBe('200');
    expect(outcome(await author.propose({ id: 'c3' }, missionScope))).toBe('200');
    await judge.qualify(6, 'c2');
    expect(await author.record('c2')).toMatchObject({ state: 'Candidate' });
    result(await judge.evaluate(submission('last'), 'c2'));
    expect(await author.record('c2')).toMatchObject({ state: 'Active' });
  },
  { max_candidates: 2 },
);

bet(
  'BET-C9 evidence of degradation suspends, and failures in a row do not',
  async ({ author, judge }) => {
    result(await author.propose());
    await judge.qualify(5);
    const monitor = async (case_id: string, members: Members) => {
      const it = submission(case_id, { phase: 'Monitoring', ...members });
      return result(await judge.evaluate(it)).receipt.state_after;
    };
    expect((await author.record()).betting!.degradation).toEqual({
      ...{ evidence: 0, deciding_evidence: 20, losses_to_suspend: 6 },
    });
    for (const at of [1, 2, 3, 4, 5]) expect(await monitor(`bad ${at}`, loss)).toBe('Active');
    const { betting, failure_streak } = await author.record();
    expect(failure_streak).toBe(5);
    expect(betting!.degradation).toMatchObject({ losses_to_suspend: 1 });
    expect(betting!.degradation!.evidence).toBeLessThan(20);
    expect(await monitor('bad 6', loss)).toBe('Suspended');
    const after = await author.record();
    expect(after.decisions.at(-1)).toMatchObject({ from: 'Active', to: 'Suspended' });
    expect(after.betting!.degradation).toMatchObject({ losses_to_suspend: null });
    expect(await author.selected()).toBe('baseline base-1');
  },
  { false_suspension_trials: 20, min_candidate_utility: 0.5, max_failure_streak: 2 },
);
