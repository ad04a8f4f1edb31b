/** What selection chooses in a context, for each policy that fits it, among what is proposed. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { numberText } from '../../parts/amounts.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { agentOf } from '../../scopes/scope-agent.js';
import { scopeQuery, type ShownScope } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import {
  beginningOf,
  type ContextEntry,
  INSTRUCTION_BYTES,
  type ListedProcedure,
  PAGE,
} from './learning-data.js';
import { StateTag } from './procedures.js';
import { type Selected, Selection } from './selection.js';

const { learning: words, basis } = texts;

/** The most policies that are asked for. */
const POLICIES_MAX = 20;

/** What is chosen for one policy, and what there was to choose from. */
interface Choice {
  readonly policy: string;
  readonly selection: Selected;
  readonly candidates: readonly ListedProcedure[];
}

/** Shows the choices. */
export function Choices(props: ScopeProps & { readonly context: ContextEntry }): JSX.Element {
  const { caller, shown, context } = props;
  const { value, failure } = useLoaded(
    (asked, signal) => {
      const agent = agentOf(asked, shown, caller.credential?.spec.subject_id);
      return loadChoices({ asked, agent, signal }, shown, context);
    },
    [JSON.stringify(shown), context.id],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  const { choices, hasMore } = value;
  if (choices.length === 0) {
    const { evaluation_contract: contract } = context.payload;
    return <Empty title={basis.noFit} text={basis.noFitText(contract)} />;
  }
  return (
    <>
      {hasMore ? <p class="note">{basis.partOfPolicies(choices.length)}</p> : undefined}
      {choices.map((each) => (
        <ChoiceCard key={each.policy} choice={each} to={scopeQuery(shown)} />
      ))}
    </>
  );
}

async function loadChoices(
  by: { readonly asked: Agent; readonly agent: Agent; readonly signal: AbortSignal },
  { scope }: ShownScope,
  { id: contextId, payload }: ContextEntry,
): Promise<{ readonly choices: readonly Choice[]; readonly hasMore: boolean }> {
  const { asked, agent, signal } = by;
  const fitting: string[] = [];
  for await (const { id, payload: policy } of asked.learning.policies({ limit: PAGE, signal })) {
    if (policy.parameters.evaluation_contract === payload.evaluation_contract) fitting.push(id);
    if (fitting.length > POLICIES_MAX) break;
  }
  const procedures = await beginningOf(
    agent.learning.procedures(scope, { limit: PAGE, signal }),
    (each) => each.created_at_millis,
  );
  const choices = fitting.slice(0, POLICIES_MAX).map(async (policy): Promise<Choice> => {
    const wanted = { policyId: policy, contextId, maxInstructionBytes: INSTRUCTION_BYTES, signal };
    const candidates = procedures.items.filter(
      ({ policy_id, context_id }) => policy_id === policy && context_id === contextId,
    );
    return { policy, candidates, selection: await agent.learning.select(scope, wanted) };
  });
  return { choices: await Promise.all(choices), hasMore: fitting.length > POLICIES_MAX };
}

function ChoiceCard(props: {
  readonly choice: Choice;
  readonly to: ReturnType<typeof scopeQuery>;
}): JSX.Element {
  const { policy, selection, candidates } = props.choice;
  return (
    <section class="card" aria-label={policy}>
      <h3>
        <Link to={pathOf('learning', { policy })}>{policy}</Link>
      </h3>
      <Selection selection={selection} />
      {candidates.length === 0 ? <p class="soft">{basis.noBound}</p> : undefined}
      {candidates.length === 0 ? undefined : (
        <Table
          columns={[words.id, words.state, { label: basis.bound, isNumber: true }]}
          label={basis.candidates(policy)}
        >
          {candidates.map(({ id, state, lower_improvement_bound: bound }) => (
            <tr key={id}>
              <td>
                <Link to={pathOf('learning', { ...props.to, procedure: id })}>{id}</Link>
              </td>
              <td>
                <StateTag state={state} />
              </td>
              <td class="number">{bound === null ? texts.none : numberText(bound)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
