/** One procedure: its figures, its decisions, what selection chooses, and its evaluations. */
import type { JSX } from 'preact';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { agentOf } from '../../scopes/scope-agent.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { Evaluations } from './evaluations.js';
import { beginningOf, INSTRUCTION_BYTES, PAGE } from './learning-data.js';
import { seesEntries } from './overview.js';
import { type Procedure, ProcedureFigures } from './procedure-figures.js';
import { StateTag } from './procedures.js';
import { Selection } from './selection.js';

const words = texts.learning;

/** Shows a procedure. */
export function ProcedureDetail(props: ScopeProps & { readonly id: string }): JSX.Element {
  const { caller, shown, id } = props;
  const { value, failure } = useLoaded(
    async (asked, signal) => {
      const { learning } = agentOf(asked, shown, caller.credential?.spec.subject_id);
      const procedure = await learning.procedure(shown.scope, id, { signal });
      const { policy_id: policyId, context_id: contextId } = procedure.receipt.request;
      const wanted = { policyId, contextId, maxInstructionBytes: INSTRUCTION_BYTES, signal };
      const list = learning.evaluations(shown.scope, id, { limit: PAGE, signal });
      const [selection, evaluations] = await Promise.all([
        learning.select(shown.scope, wanted),
        beginningOf(list, (each) => each.recorded_at_millis),
      ]);
      return { procedure, selection, evaluations };
    },
    [JSON.stringify(shown), id],
  );
  return (
    <Screen
      title={id}
      above={<Link to={pathOf('learning', scopeQuery(shown))}>{words.back}</Link>}
      about={value === undefined ? undefined : <StateTag state={value.procedure.record.state} />}
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : (
        <>
          <ProcedureFigures procedure={value.procedure} linksBasis={seesEntries(caller)} />
          <section class="card" aria-label={words.selection}>
            <h2>{words.selection}</h2>
            <Selection shown={id} selection={value.selection} />
          </section>
          <Decisions procedure={value.procedure} />
          <details class="card">
            <summary>{words.instructions}</summary>
            <p class="main-text">{value.procedure.receipt.request.instructions}</p>
          </details>
          <Evaluations
            evaluations={value.evaluations}
            policy={value.procedure.record.proposal.policy}
          />
        </>
      )}
    </Screen>
  );
}

function Decisions({ procedure }: { readonly procedure: Procedure }): JSX.Element {
  const { decisions } = procedure.record;
  return (
    <section class="card" aria-label={words.decisions}>
      <h2>{words.decisions}</h2>
      {decisions.length === 0 ? <p class="soft">{words.undecided}</p> : undefined}
      <ul class="plain-list">
        {decisions.map(({ from, to, reason, triggering_case: by, recorded_at_millis: at }) => (
          <li key={to}>
            <strong>{words.decision(words.states[from], words.states[to])}</strong>{' '}
            <span class="soft small">
              <Time millis={at} /> · {words.byCase(by)} · {reason}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
