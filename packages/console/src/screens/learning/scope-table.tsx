/** The scopes of the tenant, to choose one whose learning to see. */
import type { JSX } from 'preact';
import { Table } from '../../parts/table.js';
import { WalkedList } from '../../parts/walked-list.js';
import { Link } from '../../routing/link.js';
import { Visibility } from '../../scopes/scope-name.js';
import { scopeText, type ShownScope } from '../../scopes/scope-query.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en.js';

/** Shows them as a table; `to` is the path of one. */
export function ScopeTable(props: {
  readonly about: string;
  readonly to: (shown: ShownScope) => string;
}): JSX.Element {
  const walked = useWalk((agent, signal) => agent.access.scopes({ limit: 100, signal }), []);
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
                    <Link to={props.to(shown)}>{scopeText(scope)}</Link>
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
