/**
 * What tenants do in a history that checks their isolation: every name, scope and key is one that
 * all of them use.
 */
import fc from 'fast-check';

/** Subjects, usernames and idempotency keys, alike in every tenant. */
const name = fc.constantFrom('ann', 'bob', 'cy');

/** Which of the things of a kind that a tenant has made; any number stands for one. */
const index = fc.nat({ max: 7 });

const limit = fc.constantFrom(1, 2, 100);

/** Whose thing a step is about: the tenant's own, or one that belongs to the other tenant. */
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

/** One step: something that one of two tenants does, or time that passes for both. */
export const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ tenant: fc.constantFrom(0, 1), action }) },
  { weight: 1, arbitrary: fc.record({ advanceMs: fc.nat({ max: 5_000 }) }) },
);

/** A step of a history. */
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What a tenant does with accounts in a step. */
export type PersonAction = typeof person extends fc.Arbitrary<infer A> ? A : never;

/** What a tenant does in a step. */
export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
