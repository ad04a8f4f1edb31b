/** The store: items of a graph in the memory of an agent. */
import type { Agent, ScopedMemory, ScopeInput } from '@agentkeep/client';
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import { someAtOnce } from './at-once.js';
import {
  deleteEnded,
  type ItemLifetime,
  lifetimeOf,
  type PutOptions,
  refreshAll,
} from './item-lifetime.js';
import { itemName, itemOf, type ItemPut } from './item-record.js';
import {
  ItemSearch,
  type ItemSearchOperation,
  type QueryOptions,
  type QueryOrder,
} from './item-search.js';
import { ItemWrites } from './item-writes.js';
import { commonPrefix, listed } from './namespace-listing.js';
import { namespaceOf, tagBelow } from './namespace-tags.js';
import type { LargeBatches } from './write-batches.js';

/** Where a store keeps its items, how long they live, and how they are found. */
export interface AgentkeepStoreOptions extends QueryOptions {
  /** The scope of all its items. The agent needs a grant for it. */
  readonly scope: ScopeInput;
  /** What is embedded of a value where a put says nothing: paths, or `$` for all. Default: `$`. */
  readonly fields?: readonly string[] | undefined;
  /**
   * The order of the items of a query: `nearest` by their vectors, or `hybrid` by words and vectors
   * together. Default: `nearest`. Without `embed`, queries use words.
   */
  readonly queryOrder?: QueryOrder | undefined;
  /**
   * How a batch of more than 256 changes or 1 MiB is handled: `split` makes several commits of it,
   * `refuse` throws a {@link TooLargeError}. Default: `split`.
   */
  readonly largeBatches?: LargeBatches | undefined;
  /** How long items live. Default: forever. */
  readonly ttl?: ItemLifetime | undefined;
}

/**
 * Stores items in a scope of an agent, embedded or remote. No namespace reaches into another one,
 * whatever its labels and keys are. Errors of the agent are thrown on, as `AgentkeepError`.
 * @example
 * ```ts
 * import { AgentkeepStore } from '@agentkeep/langgraph';
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'graph', visibility: 'shared' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
 *
 * const store = new AgentkeepStore(agent, { scope });
 * await store.put(['users', 'ann'], 'drink', { prefers: 'tea' });
 * const [found] = await store.search(['users'], { filter: { prefers: 'tea' } });
 * console.log(found?.namespace, found?.key); // [ 'users', 'ann' ] drink
 * ```
 */
export class AgentkeepStore extends BaseStore {
  readonly #memory: ScopedMemory;
  readonly #search: ItemSearch;
  readonly #writes: ItemWrites;
  readonly #similarityThreshold: number | undefined;
  readonly #refreshOnRead: boolean;

  constructor(agent: Agent, options: AgentkeepStoreOptions) {
    super();
    const { scope, fields = ['$'], queryOrder = 'nearest', largeBatches = 'split' } = options;
    const { defaultTtl, refreshOnRead = false } = options.ttl ?? {};
    lifetimeOf(defaultTtl); // refuses what is no time
    this.#memory = agent.memory.in(scope);
    this.#search = new ItemSearch(agent, scope, queryOrder);
    this.#writes = new ItemWrites(this.#memory, { fields, defaultTtl, largeBatches });
    this.#similarityThreshold = options.similarityThreshold;
    this.#refreshOnRead = refreshOnRead;
  }

  /**
   * Executes operations. Reads see the state before, and of several puts of one item the last one
   * counts. Up to 256 puts and 1 MiB are one commit: all or none. A deletion counts as two.
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validate(operation);
    const results: unknown[] = operations.map(() => null);
    const reads = [...operations.entries()].filter(([, operation]) => !isPut(operation));
    await someAtOnce(reads, async ([index, operation]) => {
      results[index] = await this.#read(operation);
    });
    await this.#writes.write(lastOfEach(operations.filter(isPut)));
    return results as OperationResults<Op>;
  }

  /**
   * Stores an item. With `ttl`, it ends after so many minutes: no read finds it from then on.
   * Stores that nodes get from a graph leave `index` and `options` out.
   */
  override async put(
    namespace: string[],
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
    options?: PutOptions,
  ): Promise<void> {
    validateNamespace(namespace);
    const put: ItemPut = {
      namespace,
      key,
      value,
      ...(index === undefined ? {} : { index }),
      options,
    };
    await this.batch([put]);
  }

  /** Searches items below a prefix; see {@link QueryOptions} for what it takes further. */
  override async search(
    namespacePrefix: string[],
    options: Omit<ItemSearchOperation, 'namespacePrefix'> = {},
  ): Promise<SearchItem[]> {
    const search: ItemSearchOperation = { ...options, namespacePrefix };
    const [found] = await this.batch<[ItemSearchOperation]>([search]);
    return found;
  }

  /**
   * Deletes the items that have ended, and returns how many. No read finds them anyway, and the
   * tenant can have them deleted without this call: see `expired_days`.
   */
  async sweepExpiredItems(): Promise<number> {
    return deleteEnded(this.#memory);
  }

  #read(operation: Operation): Promise<unknown> {
    if (isSearch(operation)) return this.#searchItems(operation);
    if (isGet(operation)) return this.#get(operation);
    return this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const record = await this.#memory.read({ name: await itemName(namespace, key) });
    if (record === undefined) return null;
    if (this.#refreshOnRead) await refreshAll(this.#memory, [record]);
    return itemOf(record);
  }

  async #searchItems(operation: ItemSearchOperation): Promise<SearchItem[]> {
    const { similarityThreshold = this.#similarityThreshold } = operation;
    const found = await this.#search.search({ ...operation, similarityThreshold });
    const records = found.map(({ record }) => record);
    if (this.#refreshOnRead) await refreshAll(this.#memory, records);
    return found.map(({ item }) => item);
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const below = tagBelow(commonPrefix(operation.matchConditions));
    const { tags = [] } = await this.#memory.count({ tags: { all: [below] } }, { by: ['tag'] });
    const namespaces = tags.flatMap(({ tag }) => {
      const namespace = namespaceOf(tag);
      return namespace === undefined ? [] : [namespace];
    });
    return listed(namespaces, operation);
  }
}

/** Refuses namespaces that LangGraph refuses. */
function validate(operation: Operation): void {
  const isForAll = 'namespacePrefix' in operation && operation.namespacePrefix.length === 0;
  const namespace = 'namespacePrefix' in operation ? operation.namespacePrefix : undefined;
  const own = 'namespace' in operation ? operation.namespace : namespace;
  if (own !== undefined && !isForAll) validateNamespace(own, { allowReservedRoot: true });
  if (!isPut(operation)) return;
  if (typeof operation.value === 'object') return;
  throw new TypeError('The value of an item must be an object, or null to delete it.');
}

function isPut(operation: Operation): operation is PutOperation {
  return 'value' in operation;
}

function isSearch(operation: Operation): operation is SearchOperation {
  return 'namespacePrefix' in operation;
}

function isGet(operation: Operation): operation is GetOperation {
  return 'key' in operation && 'namespace' in operation;
}

/** Returns the last put of each item, in the order of the first ones. */
function lastOfEach(puts: readonly PutOperation[]): PutOperation[] {
  return [...new Map(puts.map((put) => [JSON.stringify([put.namespace, put.key]), put])).values()];
}
