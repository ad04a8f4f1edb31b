/** One procedure: its figures, its decisions, what selection chooses, and its evaluations. */
import type { JSX } from 'preact';
import { Time } from '../../parts/time.js';
import { agentOf } from '../../scopes/scope-agent.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { DetailFrame } from './detail-frame.js';
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
  const loaded = useLoaded(
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
  const above = { to: scopeQuery(shown), text: words.back };
  return (
    <DetailFrame
      title={id}
      above={above}
      loaded={loaded}
      about={({ procedure }) => <StateTag state={procedure.record.state} />}
    >
      {({ procedure, selection, evaluations }) => (
        <>
          <ProcedureFigures procedure={procedure} linksBasis={seesEntries(caller)} />
          <section class="card" aria-label={words.selection}>
            <h2>{words.selection}</h2>
            <Selection shown={id} selection={selection} />
          </section>
          <Decisions procedure={procedure} />
          <details class="card">
            <summary>{words.instructions}</summary>
            <p class="main-text">{procedure.receipt.request.instructions}</p>
          </details>
          <Evaluations evaluations={evaluations} policy={procedure.record.proposal.policy} />
        </>
      )}
    </DetailFrame>
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
