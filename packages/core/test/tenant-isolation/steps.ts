/**
 * Steps of histories that check the isolation of tenants. All tenants use the same names, scopes
 * and keys.
 */
import fc from 'fast-check';

/** Subjects, usernames and idempotency keys, the same in every tenant. */
const name = fc.constantFrom('ann', 'bob', 'cy');

/** Selects one of the resources that a tenant created. Every number is valid. */
const index = fc.nat({ max: 7 });

const limit = fc.constantFrom(1, 2, 100);

/** The owner of the resource: the tenant itself or the other tenant. */
const whose = fc.oneof(
  { weight: 4, arbitrary: fc.constant('own' as const) },
  { weight: 1, arbitrary: fc.constant('foreign' as const) },
);

const revision = fc.constantFrom(1, 2, 3);

const person = fc.oneof(
  fc.record({ type: fc.constant('createUser' as const), name }),
  fc.record({ type: fc.constant('createLogin' as const), name, whose, index }),
  fc.record({ type: fc.constant('logIn' as const), name, isRight: fc.boolean() }),
  fc.record({ type: fc.constantFrom('lock' as const, 'unlock' as const), name }),
  fc.record({
    type: fc.constantFrom('getUser' as const, 'deleteUser' as const, 'disable' as const),
    whose,
    index,
  }),
  fc.record({
    type: fc.constantFrom(
      'listUsers' as const,
      'listLockouts' as const,
      'listLoginAccounts' as const,
    ),
    limit,
    whose,
  }),
);

const thing = fc.oneof(
  fc.record({ type: fc.constant('issue' as const), name }),
  fc.record({
    type: fc.constantFrom('rotate' as const, 'revoke' as const, 'rescope' as const),
    whose,
    index,
    revision,
  }),
  fc.record({ type: fc.constant('inspect' as const), whose, index }),
  fc.record({ type: fc.constant('list' as const), limit, whose }),
  fc.record({ type: fc.constant('create' as const), index, name }),
  fc.record({
    type: fc.constantFrom('update' as const, 'delete' as const),
    whose,
    index,
    revision,
    name,
  }),
  fc.record({ type: fc.constant('read' as const), whose, index }),
  fc.record({ type: fc.constant('query' as const), limit }),
  fc.record({ type: fc.constant('audit' as const), limit }),
);

const action = fc.oneof({ weight: 3, arbitrary: thing }, { weight: 2, arbitrary: person });

/** One step: an action of one of two tenants, or time that passes for both. */
export const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ tenant: fc.constantFrom(0, 1), action }) },
  { weight: 1, arbitrary: fc.record({ advanceMs: fc.nat({ max: 5_000 }) }) },
);

/** A step of a history. */
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** An action of a tenant on accounts. */
export type PersonAction = typeof person extends fc.Arbitrary<infer A> ? A : never;

/** An action of a tenant. */
export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
