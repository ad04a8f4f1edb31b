/** The names of a scope, as a link to it, and who sees it. */
import type { JSX } from 'preact';
import { pathOf } from '../routing/address.js';
import { Link } from '../routing/link.js';
import { cutMiddle } from '../parts/name.js';
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
  const whole = scopeText(scope);
  const cut = cutMiddle(whole);
  if (cut === whole) return <bdi>{whole}</bdi>;
  return (
    <bdi title={whole}>
      <span aria-hidden="true">{cut}</span>
      <span class="only-read">{whole}</span>
    </bdi>
  );
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
