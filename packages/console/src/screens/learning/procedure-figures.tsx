/** The figures of a procedure beside the bounds that admit and suspend it. */
import type { Agent } from '@agentkeep/client';
import type { ComponentChildren, JSX } from 'preact';
import { numberText } from '../../parts/amounts.js';
import { Time } from '../../parts/time.js';
import { texts } from '../../texts/en.js';

const words = texts.learning;

/** A procedure with its proposal. */
export type Procedure = Awaited<ReturnType<Agent['learning']['procedure']>>;

type Fact = readonly [name: string, value: ComponentChildren];

/** Shows the figures. All of them are those of the server. */
export function ProcedureFigures({ procedure }: { readonly procedure: Procedure }): JSX.Element {
  const facts = [...standingFacts(procedure), ...bettingFacts(procedure)];
  return (
    <section class="card" aria-label={words.figures}>
      <h2>{words.figures}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function standingFacts({ receipt, record }: Procedure): readonly Fact[] {
  const { policy, task, baseline_revision: baseline } = record.proposal;
  const { lower_improvement_bound: bound } = record;
  return [
    [words.basis, `${receipt.request.policy_id} · ${receipt.request.context_id}`],
    [words.task, task],
    [words.baseline, baseline],
    [words.evaluator, policy.evaluator_id],
    [words.trials, words.trialsOf(record.qualification_count, policy.qualification_trials)],
    [words.improvement, numberText(record.mean_improvement)],
    [words.meanUtility, numberText(record.mean_candidate_utility)],
    [words.lowerBound, bound === null ? texts.none : numberText(bound)],
    [words.violations, record.budget_violations],
    [words.monitored, record.monitoring_count],
    [words.streak, words.streakOf(record.failure_streak, policy.max_failure_streak)],
    [words.proposed, <Time millis={record.created_at_millis} />],
  ];
}

function bettingFacts({ record: { betting } }: Procedure): readonly Fact[] {
  if (betting === undefined) return [];
  const { family, degradation } = betting;
  const [wealth, deciding] = [betting.wealth, betting.deciding_wealth].map(numberText);
  const between = [betting.lower_bound, betting.upper_bound].map(numberText).join(' … ');
  return [
    [words.wealth, words.wealthOf(wealth ?? '', deciding ?? '')],
    [words.against, numberText(betting.opposing_wealth)],
    [words.bounds, between],
    [words.left, betting.trials_left],
    ...(family === undefined
      ? []
      : [[words.family, words.familyOf(family.candidates, family.accepted)] as const]),
    ...(degradation === undefined
      ? []
      : [
          [
            words.degradation,
            words.degradationOf(
              numberText(degradation.evidence),
              numberText(degradation.deciding_evidence),
            ),
          ] as const,
        ]),
  ];
}
