/** The tools of a scope, and their developments. */
import type { JSX } from 'preact';
import { Cut } from '../../parts/name.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { DevelopmentState } from './development-detail.js';
import { useScopeWalk } from './use-scope-walk.js';

const words = texts.learning;

/** Shows the developments, then the tools. */
export function Tools(props: ScopeProps): JSX.Element {
  return (
    <>
      <section class="stack-tight" aria-label={words.developments}>
        <h2>{words.developments}</h2>
        <Developments {...props} />
      </section>
      <section class="stack-tight" aria-label={words.artifacts}>
        <h2>{words.artifacts}</h2>
        <Artifacts {...props} />
      </section>
    </>
  );
}

function Developments(props: ScopeProps): JSX.Element {
  const { scope } = props.shown;
  const to = scopeQuery(props.shown);
  const walked = useScopeWalk(props, (agent, options) => agent.tools.developments(scope, options));
  return (
    <WalkedList walked={walked} empty={words.noDevelopments} emptyText={words.noDevelopmentsText}>
      {(developments) => (
        <Table
          columns={[
            words.id,
            words.state,
            words.artifact,
            { label: words.executor, wideOnly: true },
            { label: words.time, wideOnly: true },
          ]}
        >
          {developments.map(({ receipt, state, artifact_id: made }) => (
            <tr key={receipt.request.id}>
              <td>
                <Link to={pathOf('learning', { ...to, development: receipt.request.id })}>
                  <Cut text={receipt.request.id} />
                </Link>
                <div class="soft small">{receipt.request.objective}</div>
              </td>
              <td>
                <DevelopmentState state={state} />
              </td>
              <td>
                <Cut text={made ?? texts.none} />
              </td>
              <td class="wide-only">
                <Cut text={receipt.request.executor_id} />
              </td>
              <td class="wide-only">
                <Time millis={receipt.recorded_at_millis} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </WalkedList>
  );
}

function Artifacts(props: ScopeProps): JSX.Element {
  const { scope } = props.shown;
  const walked = useScopeWalk(props, (agent, options) => agent.tools.artifacts(scope, options));
  return (
    <WalkedList walked={walked} empty={words.noArtifacts} emptyText={words.noArtifactsText}>
      {(artifacts) => (
        <Table
          columns={[
            words.id,
            words.entrypoint,
            { label: words.repairs, wideOnly: true },
            { label: words.registered, wideOnly: true },
          ]}
        >
          {artifacts.map(({ proposal, recorded_at_millis: at }) => (
            <tr key={proposal.id}>
              <td>
                <Cut text={proposal.id} />
              </td>
              <td>{proposal.entrypoint}</td>
              <td class="wide-only">
                <Cut text={proposal.parent_artifact_id ?? texts.none} />
              </td>
              <td class="wide-only">
                <Time millis={at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </WalkedList>
  );
}
