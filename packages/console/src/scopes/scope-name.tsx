/** The names of a scope, as a link to it, and who sees it. */
import type { JSX } from 'preact';
import { pathOf } from '../routing/address.js';
import { Link } from '../routing/link.js';
import { Cut } from '../parts/name.js';
import { texts } from '../texts/en/english.js';
import { scopeQuery, scopeText, type ShownScope } from './scope-query.js';

/** Shows a link to a scope. */
export function ScopeLink(shown: ShownScope): JSX.Element {
  return (
    <Link to={pathOf('scope', scopeQuery(shown))}>
      <ScopeName scope={shown.scope} />
    </Link>
  );
}

/** Shows the names of a scope. A long one is cut in the middle: its end tells it from others. */
export function ScopeName({ scope }: Pick<ShownScope, 'scope'>): JSX.Element {
  return <Cut text={scopeText(scope)} />;
}

/** Says who sees a scope. */
export function Visibility({ scope, subjectId }: ShownScope): JSX.Element {
  const isPrivate = scope.visibility === 'private';
  const text = isPrivate
    ? subjectId === undefined
      ? texts.scopes.isPrivate
      : texts.scopes.private(subjectId)
    : texts.scopes.shared;
  return <span class="tag">{text}</span>;
}
