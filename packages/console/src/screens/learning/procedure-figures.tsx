/** The figures of a procedure beside the bounds that admit and suspend it. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { numberText } from '../../parts/amounts.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { texts } from '../../texts/en/english.js';
import { type Fact, Facts } from './facts.js';

const words = texts.learning;

/** A procedure with its proposal. */
export type Procedure = Awaited<ReturnType<Agent['learning']['procedure']>>;

/** Shows the figures. All of them are those of the server. */
export function ProcedureFigures(props: {
  readonly procedure: Procedure;
  /** Whether policy and context lead to their own pages. */
  readonly linksBasis: boolean;
}): JSX.Element {
  const { procedure, linksBasis } = props;
  const { policy_id: policy, context_id: context } = procedure.receipt.request;
  const basis = linksBasis ? (
    <>
      <Link to={pathOf('learning', { policy })}>{policy}</Link> ·{' '}
      <Link to={pathOf('learning', { context })}>{context}</Link>
    </>
  ) : (
    `${policy} · ${context}`
  );
  const facts = [...standingFacts(procedure), ...bettingFacts(procedure)];
  return <Facts title={words.figures} facts={[[words.basis, basis], ...facts]} />;
}

function standingFacts({ record }: Procedure): readonly Fact[] {
  const { policy, task, baseline_revision: baseline } = record.proposal;
  const { lower_improvement_bound: bound } = record;
  return [
    [words.task, task],
    [words.baseline, baseline],
    [words.evaluator, policy.evaluator_id],
    [
      words.trials,
      words.trialsOf(record.qualification_count, policy.qualification_trials),
      words.help.trials,
    ],
    [words.improvement, numberText(record.mean_improvement), words.help.improvement],
    [words.meanUtility, numberText(record.mean_candidate_utility)],
    [words.lowerBound, bound === null ? texts.none : numberText(bound), words.help.lowerBound],
    [words.violations, record.budget_violations, words.help.violations],
    [words.monitored, record.monitoring_count, words.help.monitored],
    [
      words.streak,
      words.streakOf(record.failure_streak, policy.max_failure_streak),
      words.help.streak,
    ],
    [words.proposed, <Time millis={record.created_at_millis} />],
  ];
}

function bettingFacts({ record: { betting } }: Procedure): readonly Fact[] {
  if (betting === undefined) return [];
  const { family, degradation } = betting;
  const [wealth, deciding] = [betting.wealth, betting.deciding_wealth].map(numberText);
  const between = [betting.lower_bound, betting.upper_bound].map(numberText).join(' … ');
  return [
    [words.wealth, words.wealthOf(wealth ?? '', deciding ?? ''), words.help.wealth],
    [words.against, numberText(betting.opposing_wealth), words.help.against],
    [words.bounds, between, words.help.bounds],
    [words.left, betting.trials_left],
    ...(family === undefined
      ? []
      : [
          [
            words.family,
            words.familyOf(family.candidates, family.accepted),
            words.help.family,
          ] as const,
        ]),
    ...(degradation === undefined
      ? []
      : [
          [
            words.degradation,
            words.degradationOf(
              numberText(degradation.evidence),
              numberText(degradation.deciding_evidence),
            ),
            words.help.degradation,
          ] as const,
        ]),
  ];
}
