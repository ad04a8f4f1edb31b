/** Random histories of operations on a store, over few labels so that they meet. */
import type { ListNamespacesOperation, Operation } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';

/** Labels that are prefixes of one another, and that other encodings take for separators. */
const label = fc.constantFrom('a', 'ab', 'a/b', 'b', '%2F', 'é', '__proto__');
const key = fc.constantFrom('', 'k', 'a', 'a/b', 'constructor');
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });

const scalar = fc.constantFrom<unknown>(0, 1, 2.5, '', '1', 'x', true, null);

const value = fc.record(
  { n: fc.oneof(scalar, fc.constant({ of: ['deep'] })), s: scalar, toString: scalar },
  { noNullPrototype: true, requiredKeys: ['n'] },
);

const condition = fc.oneof(
  scalar,
  fc
    .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), scalar)
    .map(([operator, operand]) => ({ [operator]: operand })),
  fc
    .tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 }))
    .map(([operator, operands]) => ({ [operator]: operands })),
  fc.constant({ $gte: 0, $lt: 2 }),
);

const filter = fc.dictionary(fc.constantFrom('n', 'n', 's', 'none'), condition, {
  maxKeys: 2,
  noNullPrototype: true,
});

const path = fc.array(fc.oneof({ weight: 3, arbitrary: label }, fc.constant('*')), {
  minLength: 1,
  maxLength: 2,
});

const put = fc.record({
  namespace,
  key,
  value: fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null)),
});
const get = fc.record({ namespace, key });
const search = fc.record({
  namespacePrefix: fc.array(label, { maxLength: 2 }),
  filter,
  limit: fc.constant(1_000),
  offset: fc.constant(0),
});
const list: fc.Arbitrary<ListNamespacesOperation> = fc.record({
  matchConditions: fc.array(
    fc.record({ matchType: fc.constantFrom('prefix' as const, 'suffix' as const), path }),
    { maxLength: 2 },
  ),
  maxDepth: fc.constantFrom(1, 2, 3),
  limit: fc.constantFrom(1, 2, 100),
  offset: fc.constantFrom(0, 1),
});

/** Batches, most of them of puts. */
export const history: fc.Arbitrary<Operation[][]> = fc.array(
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: put },
      { weight: 1, arbitrary: get },
      { weight: 2, arbitrary: search },
      { weight: 1, arbitrary: list },
    ),
    { minLength: 1, maxLength: 6 },
  ),
  { minLength: 1, maxLength: 12 },
);

/** What a page of a search asks for. */
export const pageOfSearch = fc.record({
  namespacePrefix: fc.array(label, { maxLength: 1 }),
  limit: fc.integer({ min: 0, max: 4 }),
  offset: fc.integer({ min: 0, max: 4 }),
});
