/** What the parts of the screen of a scope are given. */
import type { ShownScope } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';

/** A scope, and who looks at it. */
export interface ScopeProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
}
