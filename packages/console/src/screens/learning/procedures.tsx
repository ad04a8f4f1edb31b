/** The procedures of a scope, with where each stands. */
import type { JSX } from 'preact';
import { numberText } from '../../parts/amounts.js';
import { Cut } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import type { ListedProcedure } from './learning-data.js';
import { useScopeWalk } from './use-scope-walk.js';

const words = texts.learning;

const looks = { Candidate: '', Active: 'good', Rejected: 'bad', Suspended: 'warned' } as const;

/** Shows the state of a procedure. */
export function StateTag({ state }: Pick<ListedProcedure, 'state'>): JSX.Element {
  return <span class={`tag ${looks[state]}`}>{words.states[state]}</span>;
}

/** Shows them as a table. */
export function Procedures(props: ScopeProps): JSX.Element {
  const { shown } = props;
  const walked = useScopeWalk(props, (agent, options) =>
    agent.learning.procedures(shown.scope, options),
  );
  return (
    <WalkedList walked={walked} empty={words.noProcedures} emptyText={words.noProceduresText}>
      {(procedures) => (
        <Table
          columns={[
            words.id,
            words.state,
            { label: words.basis, wideOnly: true },
            { label: words.trials, isNumber: true, wideOnly: true },
            { label: words.improvement, isNumber: true },
          ]}
        >
          {procedures.map((each) => (
            <ProcedureRow key={each.id} procedure={each} to={scopeQuery(shown)} />
          ))}
        </Table>
      )}
    </WalkedList>
  );
}

function ProcedureRow(props: {
  readonly procedure: ListedProcedure;
  readonly to: ReturnType<typeof scopeQuery>;
}): JSX.Element {
  const { id, state, policy_id, context_id, policy, ...figures } = props.procedure;
  const { qualification_count: count, mean_improvement: improvement } = figures;
  return (
    <tr>
      <td>
        <Link to={pathOf('learning', { ...props.to, procedure: id })}>
          <Cut text={id} />
        </Link>
      </td>
      <td>
        <StateTag state={state} />
      </td>
      <td class="wide-only">
        <Cut text={policy_id} /> · <Cut text={context_id} />
      </td>
      <td class="number wide-only">{words.trialsOf(count, policy.qualification_trials)}</td>
      <td class="number">{count === 0 ? texts.none : numberText(improvement)}</td>
    </tr>
  );
}
