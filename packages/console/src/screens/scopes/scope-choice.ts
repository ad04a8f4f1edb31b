/** Which scopes of a list are shown, and in which order. */
import { seenText } from '../../parts/name.js';
import type { CountedScope } from '../../scopes/listed-scopes.js';
import { scopeText } from '../../scopes/scope-query.js';

/** What scopes can be sorted by; each begins with the order that is asked for most. */
export const scopeOrders = {
  name: 'ascending',
  records: 'descending',
  deleted: 'descending',
  changed: 'descending',
} as const;

/** The name of an order. */
export type ScopeOrder = keyof typeof scopeOrders;

/** What an address says about the list. */
export interface ScopeChoice {
  readonly text: string;
  readonly visibility: 'shared' | 'private' | '';
  readonly order: ScopeOrder;
  readonly direction: 'ascending' | 'descending';
}

/** Reads it. The latest change comes first by default. */
export function scopeChoiceOf(query: URLSearchParams): ScopeChoice {
  const visibility = query.get('shows');
  const order = query.get('order') ?? '';
  const known = Object.hasOwn(scopeOrders, order) ? (order as ScopeOrder) : 'changed';
  const isTurned = query.get('turned') !== null;
  const first = scopeOrders[known];
  return {
    text: query.get('with')?.trim() ?? '',
    visibility: visibility === 'shared' || visibility === 'private' ? visibility : '',
    order: known,
    direction: isTurned ? (first === 'ascending' ? 'descending' : 'ascending') : first,
  };
}

/** Returns the scopes that are shown, in their order. */
export function chosenScopes(
  scopes: readonly CountedScope[],
  { text, visibility, order, direction }: ScopeChoice,
): readonly CountedScope[] {
  const wanted = text.toLowerCase();
  const sign = direction === 'ascending' ? 1 : -1;
  return scopes
    .filter((each) => visibility === '' || each.scope.visibility === visibility)
    .filter((each) => namesOf(each).toLowerCase().includes(wanted))
    .toSorted((one, other) => sign * compare[order](one, other));
}

/** The names that a text can be a part of: those of the scope, and of its subject. */
function namesOf({ scope, subject_id: subject }: CountedScope): string {
  return [scopeText(scope), seenText(subject ?? '')].join(' ');
}

type Compare = (one: CountedScope, other: CountedScope) => number;

const compare: Readonly<Record<ScopeOrder, Compare>> = {
  name: (one, other) => namesOf(one).localeCompare(namesOf(other)),
  records: (one, other) => one.records - other.records,
  deleted: (one, other) => one.deleted_records - other.deleted_records,
  changed: (one, other) => (one.last_change_at_millis ?? 0) - (other.last_change_at_millis ?? 0),
};
