/**
 * The store answers as the one in memory of LangGraph does, in random histories. Where that one is
 * known to be wrong, store.test.ts says what is right.
 */
import { ManualClock } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import {
  InMemoryStore,
  type ListNamespacesOperation,
  type Operation,
  type SearchItem,
} from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AgentkeepStore } from '../src/index.js';
import { history, pageOfSearch } from './store-history.js';
import { Ground, ways } from './ways.js';

afterEach(() => {
  vi.useRealTimers();
});

const clock = new ManualClock();
/** More than there is. */
const ALL = 1_000;

let ground: Ground;

beforeAll(async () => {
  ground = await Ground.open(testStore(), { clock });
});

afterAll(() => ground[Symbol.asyncDispose]());

/**
 * Returns what the store of LangGraph answers. It gives out its own items, which later puts change,
 * so what it read is copied before it writes.
 */
async function answersOf(oracle: InMemoryStore, operations: Operation[]): Promise<unknown[]> {
  const filled = new InMemoryStore();
  for (const { namespace } of await oracle.search([], { limit: ALL })) {
    await filled.put(namespace, 'any', {});
  }
  const isRead = (operation: Operation) => !('value' in operation);
  const read: unknown[] = structuredClone(await oracle.batch(operations.filter(isRead)));
  await oracle.batch(operations.filter((operation) => !isRead(operation)));
  const results = operations.map((each) => (isRead(each) ? read.shift() : null));
  for (const [place, operation] of operations.entries()) {
    // It also lists namespaces in which nothing is left.
    if (isList(operation)) results[place] = await listed(filled, operation);
  }
  return results;
}

/** Lists in the order of UTF-16 units, where LangGraph uses the locale. */
async function listed(store: InMemoryStore, operation: ListNamespacesOperation) {
  const [all = []] = await store.batch([{ ...operation, limit: ALL, offset: 0 }]);
  const text = (namespace: string[]) => namespace.join('\u0000');
  const sorted = all.sort((one, other) => (text(one) < text(other) ? -1 : 1));
  return sorted.slice(operation.offset, operation.offset + operation.limit);
}

function isList(operation: Operation): operation is ListNamespacesOperation {
  return 'matchConditions' in operation;
}

/** Items in their order within each namespace; the order of namespaces is not stated. */
function byNamespace(items: SearchItem[]): Record<string, SearchItem[]> {
  return Object.fromEntries(
    items.map(({ namespace }) => [
      JSON.stringify(namespace),
      items.filter((each) => String(each.namespace) === String(namespace)),
    ]),
  );
}

describe.each(ways)('%s', (way) => {
  test('every answer of a history is that of the oracle', async () => {
    await fc.assert(
      fc.asyncProperty(history, pageOfSearch, async (batches, page) => {
        const scope = ground.newScope();
        const store = new AgentkeepStore(await ground.agent(way, scope), { scope });
        const oracle = new InMemoryStore();
        vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
        for (const operations of batches) {
          clock.advance(1_000);
          vi.setSystemTime(clock.now());
          const expected = await answersOf(oracle, operations);
          const actual = await store.batch(operations);
          for (const [place, operation] of operations.entries()) {
            const both = [actual[place], expected[place]];
            const [ours, theirs] =
              'namespacePrefix' in operation
                ? both.map((items) => byNamespace(items as SearchItem[]))
                : both;
            expect(ours).toEqual(theirs);
          }
        }
        const { namespacePrefix, limit, offset } = page;
        const all = await store.search(namespacePrefix, { limit: ALL });
        const some = await store.search(namespacePrefix, { limit, offset });
        expect(some).toEqual(all.slice(offset, offset + limit));
      }),
      { numRuns: 50 },
    );
  });
});
