/** Which scopes are shown, and in which order. */
import { expect, test } from 'vitest';
import type { CountedScope } from '../../scopes/listed-scopes.js';
import { chosenScopes, scopeChoiceOf } from './scope-choice.js';

function scopeOf(project: string, subject: string | null, records: number, changed: number | null) {
  const visibility = subject === null ? 'shared' : 'private';
  return {
    scope: { project_id: project, agent_id: 'desk', visibility },
    ...{ subject_id: subject, records, deleted_records: 10 - records },
    last_change_at_millis: changed,
  } as unknown as CountedScope;
}

const scopes = [
  scopeOf('beta', null, 3, 20),
  scopeOf('Alpha', 'Ann', 1, 30),
  scopeOf('gamma', 'bob', 2, null),
];

test.each([
  ['', ['Alpha', 'beta', 'gamma']],
  ['turned=1', ['gamma', 'beta', 'Alpha']],
  ['order=name', ['Alpha', 'beta', 'gamma']],
  ['order=name&turned=1', ['gamma', 'beta', 'Alpha']],
  ['order=records', ['beta', 'gamma', 'Alpha']],
  ['order=deleted', ['Alpha', 'gamma', 'beta']],
  ['order=unknown', ['Alpha', 'beta', 'gamma']],
  ['with=ALPHA', ['Alpha']],
  ['with=ann', ['Alpha']],
  ['with=desk&shows=private', ['Alpha', 'gamma']],
  ['shows=shared', ['beta']],
  ['with=nothing', []],
])('%s shows %s', (query, names) => {
  const shown = chosenScopes(scopes, scopeChoiceOf(new URLSearchParams(query)));
  expect(shown.map(({ scope }) => scope.project_id)).toEqual(names);
});
