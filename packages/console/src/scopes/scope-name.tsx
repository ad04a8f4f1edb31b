/** The name of a scope, as a link to it. */
import type { JSX } from 'preact';
import { pathOf } from '../routing/address.js';
import { Link } from '../routing/link.js';
import { texts } from '../texts/en/english.js';
import { scopeQuery, scopeText, type ShownScope } from './scope-query.js';

/** Shows a link to a scope. */
export function ScopeLink(shown: ShownScope): JSX.Element {
  return <Link to={pathOf('scope', scopeQuery(shown))}>{scopeText(shown.scope)}</Link>;
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
