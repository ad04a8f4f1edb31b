/** What is learned in a tenant: its scopes, its policies and its contexts. */
import type { JSX } from 'preact';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { scopeQuery, type ShownScope } from '../../scopes/scope-query.js';
import { mayList } from '../../scopes/scope-rights.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { OpenScope } from '../scopes/open-scope.js';
import { Contexts, Policies } from './entries.js';
import { ScopeTable } from './scope-table.js';

const { learning: words, basis } = texts;

const lists = [
  { name: 'scopes', isShown: seesScopes, Shown: Scopes },
  { name: 'policies', isShown: seesEntries, Shown: Policies },
  { name: 'contexts', isShown: seesEntries, Shown: Contexts },
] as const;

/** Returns whether a caller may see policies and contexts. */
export function seesEntries(caller: Caller): boolean {
  return may(caller, 'policy_admin');
}

/** Returns whether a caller may see what some scope learned. */
export function seesScopes(caller: Caller): boolean {
  const rights = ['memory_read', 'experience_read', 'tool_read'] as const;
  return rights.some((right) => may(caller, right));
}

/** Shows the list of the address, or the first one. */
export function Overview({ caller }: { readonly caller: Caller }): JSX.Element {
  const offered = lists.filter(({ isShown }) => isShown(caller));
  const chosen = offered.find(({ name }) => name === address.value.query.get('show')) ?? offered[0];
  return (
    <Screen title={words.title} about={words.about}>
      {offered.length < 2 ? undefined : (
        <nav class="tabs" aria-label={basis.lists}>
          {offered.map(({ name }) => (
            <Link
              key={name}
              to={pathOf('learning', { show: name })}
              current={name === chosen?.name}
            >
              {basis[name]}
            </Link>
          ))}
        </nav>
      )}
      {chosen === undefined ? (
        <Empty title={words.noRights} text={words.noRightsText} />
      ) : (
        <chosen.Shown caller={caller} />
      )}
    </Screen>
  );
}

function Scopes({ caller }: { readonly caller: Caller }): JSX.Element {
  const hasPolicy = caller.credential?.spec.scope_policy !== undefined;
  const to = (shown: ShownScope): string => pathOf('learning', scopeQuery(shown));
  return (
    <>
      {mayList(caller) || !hasPolicy ? (
        <ScopeTable caller={caller} about={words.choose} to={to} />
      ) : undefined}
      {hasPolicy ? <OpenScope screen="learning" /> : undefined}
    </>
  );
}
