/**
 * Random histories of evaluations agree with a model of the contract, which keeps every accepted
 * evaluation and derives everything from them each time.
 */
import { registerEvaluation } from '@agentkeep/testkit/evaluation';
import {
  acceptedTogether,
  type Bet,
  exactLowerBound,
  exactThreshold,
  isDegraded,
  stateOfBets,
  stateUnlessAccepted,
} from '@agentkeep/testkit/exact-bets';
import { testStore } from '@agentkeep/testkit/test-store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Agent } from '../../../client/agent.js';
import type { Keep } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { bootstrapTenant } from '../../../operator.js';
import type { EvaluationSubmission } from './evaluation-schema.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const parameters = {
  qualification_trials: 3,
  confidence_delta: 0.45,
  min_improvement: 0,
  min_candidate_utility: 0.5,
  max_failure_streak: 2,
};
/** Of a policy that admits candidates together, and suspends by evidence. */
const family = { max_candidates: 3, qualification_trials: 6, false_suspension_trials: 10 };

const variants = {
  'a fixed budget': { algorithm: 'fixed_budget_hoeffding_v1', further: {} },
  bets: { algorithm: 'betting_e_process_v1', further: {} },
  'bets of a family': { algorithm: 'betting_e_process_v1', further: family },
} as const;
type Variant = (typeof variants)[keyof typeof variants];

const procedureIds = ['b', 'a', 'ä'] as const;
const instructions = { b: 'x', a: 'xx', ä: 'xxx' };

/** Outcomes that must occur in the histories. */
const ANSWERS = [
  ...['Candidate', 'Active', 'Rejected', 'Suspended'],
  ...['accepted', 'rejected', 'incomplete', 'cancelled', 'unknown_consumption'],
  ...['selected baseline', ...procedureIds.map((id) => `selected ${id}`)],
];

/** One procedure of the model: every submission with its outcome. */
interface Modelled {
  readonly variant: Variant;
  /** Whether it was accepted with others of its family. */
  isAccepted: boolean;
  readonly cases: Map<string, EvaluationSubmission>;
  readonly accepted: EvaluationSubmission[];
}

/** Derives the state of a procedure from all accepted evaluations. */
function standing({ accepted, variant, isAccepted }: Modelled) {
  const trials = accepted.filter(({ phase }) => phase === 'Qualification');
  const watched = accepted.filter(({ phase }) => phase === 'Monitoring');
  const over = (it: EvaluationSubmission): boolean =>
    it.candidate_cost_units! > 1 || it.candidate_latency_ms! > 1;
  const bad = (it: EvaluationSubmission): boolean =>
    over(it) || it.candidate_utility! < 0.5 || it.candidate_utility! < it.baseline_utility!;
  const streak = watched.length - 1 - watched.findLastIndex((it) => !bad(it));
  if (variant.algorithm === 'betting_e_process_v1') {
    const isFamily = 'max_candidates' in variant.further;
    const decision = isFamily ? isAccepted : undefined;
    const { state, bound } = standingOfBets(trials, trials.some(over), decision);
    const suffered = watched.map((it) => (over(it) ? { ...it, candidate_utility: 0 } : it));
    const { false_suspension_trials: length } = family;
    const isOut = isFamily ? isDegraded(betsOf(suffered), 0.5, length) : streak >= 2;
    return { state: state === 'Active' && isOut ? 'Suspended' : state, bound, streak };
  }
  const mean = (pick: (it: EvaluationSubmission) => number): number =>
    trials.reduce((sum, it) => sum + pick(it), 0) / trials.length;
  if (trials.length < 3) return { state: 'Candidate', bound: null, streak };
  const improvement = mean((it) => it.candidate_utility! - it.baseline_utility!);
  const bound = Math.max(-1, improvement - Math.sqrt((2 * Math.log(1 / 0.45)) / 3));
  const isGood = bound >= 0 && mean((it) => it.candidate_utility!) >= 0.5 && !trials.some(over);
  if (!isGood) return { state: 'Rejected', bound, streak };
  return { state: streak >= 2 ? 'Suspended' : 'Active', bound, streak };
}

/** Derives the decision of a policy that bets, in exact fractions. */
function standingOfBets(
  trials: readonly EvaluationSubmission[],
  isOver: boolean,
  isAccepted: boolean | undefined,
) {
  const bets = betsOf(trials);
  const decided = isAccepted === undefined ? stateOfBets(bets, parameters) : undefined;
  const rules = isAccepted === undefined ? parameters : { ...parameters, ...family };
  const unless = isAccepted === true ? 'Active' : stateUnlessAccepted(bets, rules);
  const state = isOver ? 'Rejected' : (decided ?? unless);
  const differences = bets.map(({ baseline, candidate }) => candidate - baseline);
  const bound = exactLowerBound(differences, exactThreshold(parameters)) / 1_000;
  return { state, bound: state === 'Candidate' ? null : bound };
}

function betsOf(evaluations: readonly EvaluationSubmission[]): Bet[] {
  return evaluations.map(({ baseline_utility, candidate_utility }) => ({
    baseline: baseline_utility! * 1_000,
    candidate: candidate_utility! * 1_000,
  }));
}

/** Accepts the candidates of a family that are good enough together after a trial of one. */
function acceptTogether(models: readonly Modelled[], tried: Modelled): void {
  const candidates = models
    .filter((each) => each === tried || standing(each).state !== 'Rejected')
    .map((model) => {
      const trials = model.accepted.filter(({ phase }) => phase === 'Qualification');
      const isOver = trials.some((it) => it.candidate_cost_units! > 1);
      return { model, bets: isOver ? [] : betsOf(trials) };
    });
  const rules = { ...parameters, ...family };
  for (const { model } of acceptedTogether(candidates, rules)) model.isAccepted = true;
}

const phases: Readonly<Record<string, EvaluationSubmission['phase']>> = {
  Candidate: 'Qualification',
  Active: 'Monitoring',
};

/** Returns the outcome of a submission in the model. */
function admit(model: Modelled, it: EvaluationSubmission): string {
  const { state } = standing(model);
  const phase = phases[state];
  const isKnown = [it.candidate_cost_units, it.candidate_latency_ms].every((each) => each !== null);
  if (it.status === 'cancelled') return 'cancelled';
  if (!isKnown) return 'unknown_consumption';
  if (it.candidate_utility === null) return 'incomplete';
  const isUsed = model.accepted.some(({ evidence_ref }) => evidence_ref === it.evidence_ref);
  if (it.candidate_utility > 1 || isUsed || it.evidence_ref === 'source' || it.phase !== phase) {
    return 'rejected';
  }
  model.accepted.push(it);
  return 'accepted';
}

const submission: fc.Arbitrary<EvaluationSubmission> = fc.record({
  case_id: fc.nat(200).map((number) => `case ${String(number)}`),
  phase: fc.constantFrom('Qualification', 'Monitoring'),
  policy_id: fc.constant('pol'),
  context_id: fc.constant('ctx'),
  baseline_revision: fc.constant('base'),
  evidence_ref: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('source', 'common') },
    { weight: 9, arbitrary: fc.uuid() },
  ),
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constant('complete' as const) },
    { weight: 1, arbitrary: fc.constant('cancelled' as const) },
  ),
  // Multiples of a quarter, so that sums are exact in any order.
  baseline_utility: fc.constantFrom(0, 0, 0.25),
  candidate_utility: fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 0.75, 0.25, 0.25, 1.25, null),
  candidate_cost_units: fc.constantFrom(0, 1, 1, 1, 1, 1, 1, 1, 1, 2, null),
  candidate_latency_ms: fc.constantFrom(0, 1, 1, 1, 1),
  detail: fc.constant(null),
});

const trial: EvaluationSubmission = {
  case_id: 'case',
  phase: 'Qualification',
  policy_id: 'pol',
  context_id: 'ctx',
  baseline_revision: 'base',
  evidence_ref: 'evidence',
  status: 'complete',
  baseline_utility: 0,
  candidate_utility: 1,
  candidate_cost_units: 1,
  candidate_latency_ms: 1,
  detail: null,
};

/** Good trials followed by bad ones, which random histories seldom contain in this order. */
function goodThenBad(good: number, bad: number) {
  const evaluations: EvaluationSubmission[] = [
    ...Array<EvaluationSubmission>(good).fill(trial),
    ...Array<EvaluationSubmission>(bad).fill({
      ...trial,
      phase: 'Monitoring',
      baseline_utility: 1,
      candidate_utility: 0.25,
    }),
  ];
  return evaluations.map((it, index): [id: 'b', EvaluationSubmission, boolean] => {
    const names = { case_id: `case ${index}`, evidence_ref: `evidence ${index}` };
    return ['b', { ...it, ...names }, true];
  });
}

/** Opens a keep with the procedures and one agent with all rights. */
async function opened({ algorithm, further }: Variant): Promise<{ keep: Keep; agent: Agent }> {
  const keep = await openKeep({ store: testStore() });
  const tenant = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const { secret } = await (
    await keep.authenticate(tenant.secret)
  ).credentials.issue({
    subject_id: 'judge',
    capabilities: ['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'],
    grants: [scope],
  });
  const agent = await keep.authenticate(secret);
  const { learning } = agent;
  await registerEvaluation(learning, { ...parameters, ...further }, algorithm);
  for (const id of procedureIds) {
    const bound = { policy_id: 'pol', context_id: 'ctx', source_refs: ['source'] };
    await learning.propose(scope, { id, instructions: instructions[id], ...bound });
  }
  return { keep, agent };
}

/** Returns the selection of the model within a budget. */
function best(models: ReadonlyMap<string, Modelled>, bytes: number): string {
  const [first] = procedureIds
    .filter((id) => instructions[id].length <= bytes)
    .map((id) => ({ id, ...standing(models.get(id)!) }))
    .filter(({ state }) => state === 'Active')
    .sort((one, other) => other.bound! - one.bound! || (one.id < other.id ? -1 : 1));
  return first?.id ?? 'baseline';
}

test.each(Object.entries(variants))(
  'any history of evaluations by %s leads to the state of the model',
  async (_, variant) => {
    const isFitting = fc.integer({ min: 1, max: 10 }).map((number) => number > 1);
    const step = fc.tuple(fc.constantFrom(...procedureIds), submission, isFitting);
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
        async (steps) => {
          const { keep, agent } = await opened(variant);
          const models = new Map<string, Modelled>(
            procedureIds.map((id) => [
              id,
              { variant, isAccepted: false, cases: new Map(), accepted: [] },
            ]),
          );
          for (const [id, it] of steps) {
            const model = models.get(id)!;
            const answer = agent.learning.evaluate(scope, id, it);
            const before = model.cases.get(it.case_id);
            if (before === undefined) {
              const outcome = admit(model, it);
              const isTrial = outcome === 'accepted' && it.phase === 'Qualification';
              if (isTrial && variant.further === family) {
                acceptTogether([...models.values()], model);
              }
              model.cases.set(it.case_id, it);
              met.add(outcome);
              expect(await answer).toMatchObject({ outcome, state_after: standing(model).state });
            } else if (JSON.stringify(before) !== JSON.stringify(it)) {
              await expect(answer).rejects.toMatchObject({ code: 'idempotency_conflict' });
            }
          }
          for (const id of procedureIds) {
            const { record } = await agent.learning.procedure(scope, id);
            const { state, bound, streak } = standing(models.get(id)!);
            met.add(state);
            expect(record).toMatchObject({ state, failure_streak: streak });
            if (bound === null) expect(record.lower_improvement_bound).toBeNull();
            else expect(record.lower_improvement_bound).toBeCloseTo(bound, 12);
            const changes = { Candidate: 0, Active: 1, Rejected: 1, Suspended: 2 }[state];
            expect(record.decisions).toHaveLength(changes!);
          }
          for (const maxInstructionBytes of [0, 1, 2, 3, 65_536]) {
            const wanted = { policyId: 'pol', contextId: 'ctx', maxInstructionBytes };
            const selected = await agent.learning.select(scope, wanted);
            const id =
              selected.type === 'baseline' ? 'baseline' : selected.procedure.record.proposal.id;
            met.add(`selected ${id}`);
            expect(id).toBe(best(models, maxInstructionBytes));
          }
          await keep.close();
        },
      ),
      { numRuns: 100, examples: [[goodThenBad(variant.further === family ? 5 : 3, 6)]] },
    );
    // Without these outcomes, the histories would prove little.
    expect([...met].sort()).toEqual(ANSWERS.toSorted());
  },
);
