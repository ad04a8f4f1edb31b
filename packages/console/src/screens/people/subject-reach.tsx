/** The scopes that a subject can reach. */
import type { JSX } from 'preact';
import { Table } from '../../parts/table.js';
import { Tags } from '../../parts/tags.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { ScopeName, Visibility } from '../../scopes/scope-name.js';
import { scopeQuery, scopeText } from '../../scopes/scope-query.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { rightText } from './credential-facts.js';

const words = texts.reach;

/** Shows what a subject can reach with all its live credentials. */
export function SubjectReach({ subject }: { readonly subject: string }): JSX.Element {
  const walked = useWalk(
    (agent, signal) => agent.access.reach({ subjectId: subject }, { limit: 100, signal }),
    [subject],
  );
  return (
    <section class="stack" aria-label={words.of(subject)}>
      <div>
        <h2>{words.of(subject)}</h2>
        <p class="soft">{words.ofText}</p>
      </div>
      <WalkedList walked={walked} empty={words.empty} emptyText={words.emptyText}>
        {(reached) => (
          <Table columns={[words.scope, { label: words.rights, wideOnly: true }, words.holders]}>
            {reached.map(({ scope, subject_id: owner, capabilities }) => {
              const shown = { scope, subjectId: owner ?? undefined };
              const name = scopeText(scope);
              return (
                <tr key={JSON.stringify([scope, owner])}>
                  <td>
                    <ScopeName scope={scope} /> <Visibility {...shown} />
                  </td>
                  <td class="wide-only">
                    <Tags words={capabilities.map(rightText)} />
                  </td>
                  <td>
                    <Link to={pathOf('access', { show: 'reach', ...scopeQuery(shown) })}>
                      {words.holders}
                      <span class="only-read"> {name}</span>
                    </Link>
                  </td>
                </tr>
              );
            })}
          </Table>
        )}
      </WalkedList>
    </section>
  );
}
