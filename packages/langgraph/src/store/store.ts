/** The store: items of a graph in the memory of an agent. */
import {
  type Agent,
  AgentkeepError,
  type MemoryChangeInput,
  type RecordInput,
  type ScopedMemory,
  type ScopeInput,
} from '@agentkeep/client';
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import { itemName, itemOf, itemRecord } from './item-record.js';
import { ItemSearch, type QueryOrder } from './item-search.js';
import { commonPrefix, listed } from './namespace-listing.js';
import { namespaceOf, tagBelow } from './namespace-tags.js';
import { type Commit, commitsOf, type LargeBatches } from './write-batches.js';

/** Where a store keeps its items, and how they are found. */
export interface AgentkeepStoreOptions {
  /** The scope of all its items. The agent needs a grant for it. */
  readonly scope: ScopeInput;
  /** What is embedded of a value where a put says nothing: paths, or `$` for all. Default: `$`. */
  readonly fields?: readonly string[] | undefined;
  /**
   * How items are ordered that a query is given for: `nearest` by their vectors, or `hybrid` by
   * words and vectors together. Default: `nearest`. Without `embed`, queries change nothing.
   */
  readonly queryOrder?: QueryOrder | undefined;
  /**
   * What becomes of a batch of more than 256 changes or 1 MiB: `split` makes several commits of it,
   * `refuse` throws a {@link TooLargeError}. Default: `split`.
   */
  readonly largeBatches?: LargeBatches | undefined;
}

/** Reads of a batch that work at the same time. */
const READS_AT_ONCE = 16;

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
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'graph', scopes: [scope] });
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
  readonly #fields: readonly string[];
  readonly #largeBatches: LargeBatches;

  constructor(agent: Agent, options: AgentkeepStoreOptions) {
    super();
    const { scope, fields = ['$'], queryOrder = 'nearest', largeBatches = 'split' } = options;
    this.#memory = agent.memory.in(scope);
    this.#search = new ItemSearch(agent, scope, queryOrder);
    this.#fields = fields;
    this.#largeBatches = largeBatches;
  }

  /**
   * Executes operations. Reads see the state before, and of several puts of one item the last one
   * counts. Up to 256 puts and 1 MiB are one commit: all or none. A deletion counts as two.
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) validate(operation);
    const results: unknown[] = operations.map(() => null);
    const reads = [...operations.entries()].filter(([, operation]) => !isPut(operation));
    for (let from = 0; from < reads.length; from += READS_AT_ONCE) {
      const some = reads.slice(from, from + READS_AT_ONCE).map(async ([place, operation]) => {
        results[place] = await this.#read(operation);
      });
      await Promise.all(some);
    }
    await this.#write(lastOfEach(operations.filter(isPut)));
    return results as OperationResults<Op>;
  }

  #read(operation: Operation): Promise<unknown> {
    if (isSearch(operation)) return this.#search.search(operation);
    if (isGet(operation)) return this.#get(operation);
    return this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const record = await this.#memory.get(await itemName(namespace, key));
    return record === undefined ? null : itemOf(record);
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

  async #write(puts: readonly PutOperation[]): Promise<void> {
    const [only] = puts;
    if (only?.value === null && puts.length === 1) {
      await this.#delete(await itemName(only.namespace, only.key));
      return;
    }
    const changes = await Promise.all(puts.map((put) => this.#changeOf(put)));
    const commits = commitsOf(this.#memory.scope, changes, this.#largeBatches);
    for (const commit of commits) await this.#commit(commit);
  }

  /** Deletes an item, if it is there. */
  async #delete(name: string): Promise<void> {
    try {
      await this.#memory.remove(name);
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.code !== 'record_not_found') throw error;
    }
  }

  /** Returns the commands of a put. One that deletes puts first, so that it never fails. */
  async #changeOf(put: PutOperation): Promise<MemoryChangeInput[]> {
    const name = await itemName(put.namespace, put.key);
    if (put.value !== null) {
      return [{ type: 'put', name, record: itemRecord(put, this.#fields) }];
    }
    return [
      { type: 'put', name, record: nothing },
      { type: 'remove', name },
    ];
  }

  async #commit({ commands, isSingle }: Commit): Promise<void> {
    const [only] = commands;
    if (isSingle && only?.type === 'put') await this.#memory.put(only.name, only.record);
    else await this.#memory.batch(commands);
  }
}

/** What an item is for the moment before its deletion. */
const nothing: RecordInput = {
  episode_type: { Custom: 'langgraph.item' },
  content: { primary: '' },
  event_time_millis: 0,
};

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
