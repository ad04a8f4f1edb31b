/** What agents remember of the person who is signed in: her private scopes. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ExportDialog } from '../../exports/export-dialog.js';
import { useChangeCount } from '../../live/use-changes.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { ScopeLink } from '../../scopes/scope-name.js';
import { scopeText, type ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.ownAccount.memories;

/** Shows these scopes, leads to their records, and exports them. */
export function OwnMemories({ caller }: { readonly caller: Caller }): JSX.Element {
  const subject = caller.credential?.spec.subject_id;
  const changes = useChangeCount(undefined);
  const [exported, setExported] = useState<ShownScope>();
  const { value, failure } = useLoaded(
    (agent, signal) => privateScopes(agent, subject, signal),
    [subject, changes],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  if (value.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <>
      <p class="soft">{words.about}</p>
      <Table
        columns={[
          texts.scopes.scope,
          { label: texts.scopes.records, isNumber: true },
          words.actions,
        ]}
      >
        {value.map(({ records, shown }) => (
          <tr key={scopeText(shown.scope)}>
            <td>
              <ScopeLink {...shown} />
            </td>
            <td class="number">{records.toLocaleString(texts.locale)}</td>
            <td>
              <button
                type="button"
                aria-label={words.exportName(scopeText(shown.scope))}
                onClick={() => setExported(shown)}
              >
                {words.export}
              </button>
            </td>
          </tr>
        ))}
      </Table>
      {may(caller, 'credential_admin') ? (
        <p>
          <Link to={pathOf('erasures')}>{words.erase}</Link>
        </p>
      ) : (
        <p class="soft">{words.delete}</p>
      )}
      {exported === undefined ? undefined : (
        <ExportDialog caller={caller} shown={exported} onLeave={() => setExported(undefined)} />
      )}
    </>
  );
}

async function privateScopes(agent: Agent, subject: string | undefined, signal: AbortSignal) {
  const scopes = [];
  for await (const { scope, subject_id: owner, records } of agent.access.scopes({ signal })) {
    if (owner === null || owner !== subject) continue;
    scopes.push({ records, shown: { scope, subjectId: owner } });
  }
  return scopes;
}
