/** What the parts of the screen of a scope are given. */
import type { ShownScope } from '../../scopes/scope-query.js';
import type { RecordSelection } from '../../selection/use-selection.js';
import type { Caller } from '../../session/caller.js';
import type { MemorySearch } from './search-query.js';

/** A scope, and who looks at it. */
export interface ScopeProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
}

/** What a list of records is given. */
export interface ListProps extends ScopeProps {
  readonly search: MemorySearch;
  /** `undefined` where records can't be changed. */
  readonly selection: RecordSelection | undefined;
}
