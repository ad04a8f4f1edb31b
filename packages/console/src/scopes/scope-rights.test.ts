/** Which scopes are offered to a caller. */
import { describe, expect, test } from 'vitest';
import type { Caller } from '../session/caller.js';
import { mayOpen } from './scope-rights.js';

type Spec = NonNullable<Caller['credential']>['spec'];

const scope = { project_id: 'shop', agent_id: 'desk', visibility: 'private' } as const;
const shown = { scope, subjectId: 'user-1' } as unknown as Parameters<typeof mayOpen>[1];

function callerWith(actFor: Spec['act_for'], accountId?: string): Caller {
  const spec = { subject_id: 'service', capabilities: ['act_for'], grants: [], act_for: actFor };
  return { name: 'service', roles: [], accountId, credential: { spec } } as unknown as Caller;
}

describe('a private scope of another subject', () => {
  test.each([
    ['any subject', { mode: 'all' }, true],
    ['subjects with its beginning', { mode: 'prefix', prefix: 'user-' }, true],
    ['subjects with another beginning', { mode: 'prefix', prefix: 'guest-' }, false],
    ['this subject', { mode: 'only', ids: ['user-1'] }, true],
    ['other subjects', { mode: 'only', ids: ['user-2'] }, false],
    ['no subject', undefined, false],
  ] as const)('to a credential that acts for %s', (_, selector, isOpen) => {
    const actFor = selector as Spec['act_for'];
    expect(mayOpen(callerWith(actFor), shown)).toBe(isOpen);
  });

  test('is closed to an account, whatever its credential acts for', () => {
    expect(mayOpen(callerWith({ mode: 'all' }, 'u1'), shown)).toBe(false);
  });
});
