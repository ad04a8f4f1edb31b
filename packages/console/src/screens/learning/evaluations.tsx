/** The evaluations of a procedure, as charts against the bounds and as a table. */
import type { JSX } from 'preact';
import { durationText, numberText } from '../../parts/amounts.js';
import { LineChart } from '../../parts/line-chart.js';
import { Empty } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Time, timeText } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';
import type { Beginning, Evaluation, ListedProcedure } from './learning-data.js';

const words = texts.learning;

/** Shows them, in the order of time. */
export function Evaluations(props: {
  readonly evaluations: Beginning<Evaluation>;
  readonly policy: ListedProcedure['policy'];
}): JSX.Element {
  const { items, hasMore } = props.evaluations;
  if (items.length === 0) {
    return <Empty title={words.noEvaluations} text={words.noEvaluationsText} />;
  }
  return (
    <section class="stack" aria-label={words.evaluations}>
      <h2>{words.evaluations}</h2>
      {hasMore ? <p class="note">{words.partOf(items.length)}</p> : undefined}
      <Charts {...props} />
      <EvaluationTable evaluations={items.toReversed()} />
    </section>
  );
}

function Charts(props: {
  readonly evaluations: Beginning<Evaluation>;
  readonly policy: ListedProcedure['policy'];
}): JSX.Element {
  const { policy } = props;
  // Only accepted ones count, and only those have all four.
  const counted = props.evaluations.items.filter(({ outcome }) => outcome === 'accepted');
  const lineOf = (name: string, valueOf: (it: Evaluation['submission']) => number | null) => ({
    name,
    points: counted.map(({ submission, recorded_at_millis: atMs }) => ({
      ...{ atMs, value: valueOf(submission) ?? undefined },
    })),
  });
  const bound = (name: string, value: number) => lineOf(name, () => value);
  const shared = { timeText };
  return (
    <div class="charts">
      <LineChart
        {...shared}
        title={words.differences}
        show={numberText}
        lines={[lineOf(words.difference, differenceOf), bound(words.least, policy.min_improvement)]}
      />
      <LineChart
        {...shared}
        title={words.utility}
        show={numberText}
        lines={[
          lineOf(words.candidate, (it) => it.candidate_utility),
          bound(words.least, policy.min_candidate_utility),
        ]}
      />
      <LineChart
        {...shared}
        title={words.cost}
        show={numberText}
        lines={[
          lineOf(words.candidate, (it) => it.candidate_cost_units),
          bound(words.most, policy.max_cost_units),
        ]}
      />
      <LineChart
        {...shared}
        title={words.latency}
        show={durationText}
        lines={[
          lineOf(words.candidate, (it) => it.candidate_latency_ms),
          bound(words.most, policy.max_latency_ms),
        ]}
      />
    </div>
  );
}

function differenceOf(it: Evaluation['submission']): number | null {
  const { baseline_utility: baseline, candidate_utility: candidate } = it;
  return baseline === null || candidate === null ? null : candidate - baseline;
}

function EvaluationTable(props: { readonly evaluations: readonly Evaluation[] }): JSX.Element {
  return (
    <Table
      columns={[
        words.case,
        words.outcome,
        { label: words.difference, isNumber: true },
        { label: words.phase, wideOnly: true },
        { label: words.time, wideOnly: true },
      ]}
    >
      {props.evaluations.map(({ submission, outcome, reason, recorded_at_millis: at }) => {
        const difference = differenceOf(submission);
        return (
          <tr key={submission.case_id}>
            <td>{submission.case_id}</td>
            <td title={reason}>{outcome}</td>
            <td class="number">{difference === null ? texts.none : numberText(difference)}</td>
            <td class="wide-only">{submission.phase}</td>
            <td class="wide-only">
              <Time millis={at} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
