/** The spec and the scopes of a new credential, from the fields of its form. */
import { describe, expect, test } from 'vitest';
import { newScopes, specOf } from './new-spec.js';

/** The fields of two scopes, of which the second one has no mission. */
function twoScopes(): FormData {
  const form = new FormData();
  for (const [project, agent, mission, visibility] of [
    ['support', 'desk', 'returns', 'shared'],
    ['purchasing', 'stock', '', 'private'],
  ] as const) {
    form.append('project', project);
    form.append('agent', agent);
    form.append('mission', mission);
    form.append('visibility', visibility);
  }
  return form;
}

describe('the scopes of a form', () => {
  test('are all that it has, each with its own mission', () => {
    expect(newScopes('some', twoScopes())).toEqual({
      grants: [
        { project_id: 'support', agent_id: 'desk', mission_id: 'returns', visibility: 'shared' },
        { project_id: 'purchasing', agent_id: 'stock', visibility: 'private' },
      ],
    });
  });

  test('are none, or every scope by a policy, whatever the fields have', () => {
    expect(newScopes('none', twoScopes())).toEqual({ grants: [] });
    const { grants, scope_policy: policy } = newScopes('all', twoScopes());
    expect(grants).toEqual([]);
    expect(policy).toMatchObject({ projects: { mode: 'all' }, allow_unassigned_mission: true });
  });
});

describe('CSL-44 the end of a new credential', () => {
  const specFor = (expires: string) =>
    specOf({ subject: 'sam', expires }, ['memory_read'], newScopes('none', new FormData()));

  test('is a time in the zone of the browser', () => {
    const end = new Date(2035, 1, 28, 9, 30).getTime();
    expect(specFor('2035-02-28T09:30')).toMatchObject({ spec: { expires_at_millis: end } });
  });

  test('that is no time is refused by the name of its field', () => {
    for (const text of ['Chapter 5', '2035-02-31T00:00']) {
      expect(specFor(text)).toEqual({ problem: expect.stringContaining('“Expires”') as string });
    }
  });
});
