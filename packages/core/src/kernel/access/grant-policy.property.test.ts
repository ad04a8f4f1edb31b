/** Grants and scope policies agree with a naive implementation of the contract. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coversScope } from './grant-policy.js';
import type { CompanyScopePolicy, Scope, Selector } from './scope.js';

const id = fc.constantFrom('a', 'b', 'A', 'a ', 'c');
const visibility = fc.constantFrom('private' as const, 'shared' as const);
const scope: fc.Arbitrary<Scope> = fc.record({
  project_id: id,
  mission_id: fc.option(id),
  agent_id: id,
  visibility,
});
const selector: fc.Arbitrary<Selector> = fc.oneof(
  fc.constant({ mode: 'all' as const }),
  fc.record({ mode: fc.constant('only' as const), ids: fc.uniqueArray(id) }),
);
const policy: fc.Arbitrary<CompanyScopePolicy> = fc.record({
  version: fc.constant('company_scopes_v1' as const),
  projects: selector,
  agents: selector,
  missions: selector,
  allow_unassigned_mission: fc.boolean(),
  visibilities: fc.uniqueArray(visibility, { minLength: 1 }),
});

describe('coversScope', () => {
  test('a grant covers exactly the scope that equals it in all four values', () => {
    fc.assert(
      fc.property(fc.array(scope), scope, (grants, wanted) => {
        const equal = grants.some((grant) => JSON.stringify(grant) === JSON.stringify(wanted));
        expect(coversScope({ grants }, wanted)).toBe(equal);
      }),
    );
  });

  test('a policy covers the scopes that each of its parts permits', () => {
    fc.assert(
      fc.property(policy, scope, (scope_policy, wanted) => {
        const idsOf = (it: Selector): string[] =>
          it.mode === 'all' ? ['a', 'b', 'A', 'a ', 'c'] : it.ids;
        const missions: (string | null)[] = [
          ...idsOf(scope_policy.missions),
          ...(scope_policy.allow_unassigned_mission ? [null] : []),
        ];
        const permitted =
          idsOf(scope_policy.projects).includes(wanted.project_id) &&
          idsOf(scope_policy.agents).includes(wanted.agent_id) &&
          missions.includes(wanted.mission_id) &&
          scope_policy.visibilities.includes(wanted.visibility);
        expect(coversScope({ grants: [], scope_policy }, wanted)).toBe(permitted);
      }),
    );
  });
});
