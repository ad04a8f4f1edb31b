/** The credentials that can reach a scope. */
import type { JSX } from 'preact';
import { Table } from '../../parts/table.js';
import { Tags } from '../../parts/tags.js';
import { WalkedList } from '../../parts/walked-list.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { Visibility } from '../../scopes/scope-name.js';
import { scopeText, type ShownScope } from '../../scopes/scope-query.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { credentialQuery, rightText } from './credential-facts.js';

const words = texts.reach;

/** Shows who can reach a scope. */
export function ScopeHolders({ shown }: { readonly shown: ShownScope }): JSX.Element {
  const { scope, subjectId } = shown;
  const isPrivate = scope.visibility === 'private';
  const subject = isPrivate && subjectId !== undefined ? { subjectId } : {};
  const walked = useWalk(
    (agent, signal) => agent.access.holders(scope, { ...subject, limit: 100, signal }),
    [],
  );
  const title = words.who(scopeText(scope));
  return (
    <section class="stack" aria-label={title}>
      <h2>
        {title} <Visibility {...shown} />
      </h2>
      <WalkedList walked={walked} empty={words.nobody} emptyText={words.nobodyText}>
        {(holders) => (
          <Table columns={[words.subject, words.rights]}>
            {holders.map((holder) => (
              <tr key={holder.credential_id}>
                <td>
                  <Link to={pathOf('access', credentialQuery(holder.credential_id))}>
                    {holder.subject_id}
                  </Link>
                  {holder.acts_for === undefined ? undefined : (
                    <div class="soft small">{words.actsFor}</div>
                  )}
                </td>
                <td>
                  <Tags words={holder.capabilities.map(rightText)} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </WalkedList>
    </section>
  );
}
