/** The scopes of the tenant, to choose one whose learning to see. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { Table } from '../../parts/table.js';
import { WalkedList } from '../../parts/walked-list.js';
import { Link } from '../../routing/link.js';
import { ScopeName, Visibility } from '../../scopes/scope-name.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { mayList, mayOpen } from '../../scopes/scope-rights.js';
import type { Caller } from '../../session/caller.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';

/** Yields the scopes that are listed to a caller, or else those that its credential names. */
async function* scopesOf(caller: Caller, agent: Agent, signal: AbortSignal) {
  if (mayList(caller)) return yield* agent.access.scopes({ limit: 100, signal });
  const { grants = [], subject_id: own = null } = caller.credential?.spec ?? {};
  for (const scope of grants) {
    yield { scope, subject_id: scope.visibility === 'private' ? own : null };
  }
}

/** Shows them as a table; `to` is the path of one. */
export function ScopeTable(props: {
  readonly caller: Caller;
  readonly about: string;
  readonly to: (shown: ShownScope) => string;
}): JSX.Element {
  const { caller } = props;
  const walked = useWalk((agent, signal) => scopesOf(caller, agent, signal), []);
  return (
    <WalkedList walked={walked} empty={texts.scopes.empty} emptyText={texts.scopes.emptyText}>
      {(scopes) => (
        <>
          <p class="soft">{props.about}</p>
          <Table columns={[texts.scopes.scope, texts.scopes.visibility]}>
            {scopes.map(({ scope, subject_id: subject }) => {
              const shown = { scope, subjectId: subject ?? undefined };
              return (
                <tr key={JSON.stringify([scope, subject])}>
                  <td>
                    {mayOpen(caller, shown) ? (
                      <Link to={props.to(shown)}>
                        <ScopeName scope={scope} />
                      </Link>
                    ) : (
                      <ScopeName scope={scope} />
                    )}
                  </td>
                  <td>
                    <Visibility {...shown} />
                  </td>
                </tr>
              );
            })}
          </Table>
        </>
      )}
    </WalkedList>
  );
}
