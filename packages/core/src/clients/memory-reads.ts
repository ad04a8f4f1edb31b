/** The calls that read scoped memory, each with its scope. */
import type { ScopeInput } from '../access/scope.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../contract/errors/arguments.js';
import { CHANGES_WAIT_MILLIS_MAX } from '../contract/limits.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { ChangePage, CommittedChange } from '../memory/changes/schema.js';
import type {
  MemoryRecord,
  MemoryRevision,
  QueryPage,
  RevisionsPage,
} from '../memory/documents/schema.js';
import type { SearchCounts } from '../memory/search/documents/counts-schema.js';
import { GroupCounts } from '../memory/search/examination/group-counts.js';
import type {
  SearchFilterInput,
  SearchMatch,
  SearchPage,
  SearchVectorInput,
} from '../memory/search/documents/schema.js';
import type { CallOperation, CallOptions } from './call.js';
import { type Embeddings, requireEmbed } from './embeddings.js';
import { everyItem, pagesFrom, repeatedCursor, walkPages } from './page-walk.js';
import {
  changeParametersOf,
  filterOf,
  parametersOf,
  revisionParameters,
  searchOf,
} from './memory-documents.js';
import type {
  ChangeOptions,
  ChangePageOptions,
  MemoryQuery,
  ReadOptions,
  RevisionsOptions,
  RevisionsPageOptions,
  SearchCountOptions,
  SearchOptions,
} from './memory-options.js';

/** Reads of the memory of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryReads {
  /** Whether the keep or client was given `embed`, so that texts and queries get embeddings. */
  readonly embeds: boolean;

  /** Calls an operation as the agent. */
  protected readonly call: CallOperation;

  /** Makes embeddings, if the keep or client was given a function for it. */
  protected readonly embeddings: Embeddings | undefined;

  constructor(call: CallOperation, embeddings?: Embeddings) {
    this.call = call;
    this.embeddings = embeddings;
    this.embeds = embeddings !== undefined;
  }

  /** Reads the current record of a name. Returns `undefined` when there is none. */
  async get(
    scope: ScopeInput,
    name: string,
    options: CallOptions = {},
  ): Promise<MemoryRecord | undefined> {
    requireArguments('memory.get()', { scope, name });
    refuseUnknownOptions('memory.get()', options, ['signal']);
    const parameters = { contract_version: CONTRACT_VERSION, ...parametersOf(scope), name };
    try {
      return (await this.call('readNamedRecord', { parameters }, options)).record;
    } catch (error) {
      if (error instanceof AgentkeepError && error.code === 'record_not_found') return undefined;
      throw error;
    }
  }

  /**
   * Reads a current record, or one of its revisions.
   * @throws {AgentkeepError} `record_not_found` when it is absent, deleted or expired, or when the
   * revision isn't kept.
   */
  async read(
    scope: ScopeInput,
    recordId: string,
    options: ReadOptions = {},
  ): Promise<MemoryRecord> {
    requireArguments('memory.read()', { scope, recordId });
    const wanted = revisionParameters('memory.read()', options);
    const parameters = { contract_version: CONTRACT_VERSION, ...parametersOf(scope), ...wanted };
    const { record } = await this.call('readMemoryRecord', { id: recordId, parameters }, options);
    return record;
  }

  /** Returns one page of the revisions of a record, the newest first. */
  async historyPage(
    scope: ScopeInput,
    recordId: string,
    options: RevisionsPageOptions = {},
  ): Promise<RevisionsPage> {
    requireArguments('memory.historyPage()', { scope, recordId });
    refuseUnknownOptions('memory.historyPage()', options, ['limit', 'cursor', 'signal']);
    const { limit, cursor, signal } = options;
    const parameters = {
      contract_version: CONTRACT_VERSION,
      ...parametersOf(scope),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const parts = { id: recordId, parameters };
    const { page } = await this.call('listMemoryRevisions', parts, { signal });
    return page;
  }

  /**
   * Yields the revisions of a record that are kept, the newest first, fetched a page at a time.
   * @throws {AgentkeepError} `record_not_found` when it is absent, or deleted and not kept.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
   * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
   *
   * const memory = agent.memory.in(scope);
   * const drink = (primary: string) => ({
   *   episode_type: 'Observation' as const,
   *   content: { primary },
   *   event_time_millis: Date.now(),
   * });
   * const { record_id } = await memory.put('drink', drink('Tea.'));
   * await memory.put('drink', drink('Coffee.'));
   * for await (const { revision, payload } of memory.history(record_id)) {
   *   console.log(revision, payload?.content.primary); // 2 Coffee. and 1 Tea.
   * }
   * ```
   */
  async *history(
    scope: ScopeInput,
    recordId: string,
    options: RevisionsOptions = {},
  ): AsyncGenerator<MemoryRevision, void> {
    requireArguments('memory.history()', { scope, recordId });
    refuseUnknownOptions('memory.history()', options, ['limit', 'signal']);
    yield* everyItem((position) => this.historyPage(scope, recordId, { ...options, ...position }));
  }

  /** Returns one page of a query; go on with `next_after` as `after`, even if the page is empty. */
  async queryPage(scope: ScopeInput, query: MemoryQuery = {}): Promise<QueryPage> {
    requireArguments('memory.queryPage()', { scope });
    const { signal } = query;
    const filter = filterOf('memory.queryPage()', query);
    const document = { contract_version: CONTRACT_VERSION, scope, filter };
    const { page } = await this.call('queryMemory', { document }, { signal });
    return page;
  }

  /** Yields every record that matches, in order of creation, fetched a page at a time. */
  async *query(scope: ScopeInput, query: MemoryQuery = {}): AsyncGenerator<MemoryRecord, void> {
    const pages = walkPages(
      query.after ?? null,
      (after) => this.queryPage(scope, { ...query, ...(after === null ? {} : { after }) }),
      (page) => page.next_after,
    );
    for await (const page of pages) yield* page.records;
  }

  /**
   * Returns one page of committed changes; go on with `next_after` as `after`. Changes have the
   * order of their commits, and a reader that goes on misses none and sees none twice.
   * @throws {AgentkeepError} `position_expired` when changes after the cursor are no longer kept.
   */
  async changesPage(options: ChangePageOptions = {}): Promise<ChangePage> {
    const call = 'memory.changesPage()';
    refuseUnknownOptions(call, options, ['after', 'scope', 'limit', 'waitMillis', 'signal']);
    const { signal } = options;
    const parameters = { contract_version: CONTRACT_VERSION, ...changeParametersOf(options) };
    return (await this.call('listMemoryChanges', { parameters }, { signal })).page;
  }

  /**
   * Yields committed changes in the order of their commits, and waits for more until the signal
   * ends it. To go on later, keep the `cursor` of the last change and pass it as `after`.
   * @throws {AgentkeepError} `position_expired` when changes after the cursor are no longer kept;
   * `unauthorized` once the credential of the agent has ended.
   */
  async *changes(options: ChangeOptions = {}): AsyncGenerator<CommittedChange, void> {
    refuseUnknownOptions('memory.changes()', options, ['after', 'scope', 'signal']);
    let after = options.after ?? undefined;
    for (;;) {
      const page = await this.changesPage({
        ...options,
        after,
        waitMillis: CHANGES_WAIT_MILLIS_MAX,
      });
      yield* page.changes;
      if (page.has_more && page.next_after === after) throw repeatedCursor();
      after = page.next_after;
    }
  }

  /** Returns one page of a search; go on with `next_cursor` as `cursor`, even if it is empty. */
  async searchPage(
    scopes: ScopeInput | readonly ScopeInput[],
    filter: SearchFilterInput = {},
    options: SearchOptions = {},
  ): Promise<SearchPage> {
    const vector = await this.#vectorOf(options.vector);
    const document = searchOf('memory.searchPage()', scopes, filter, { ...options, vector });
    return (await this.call('searchMemory', { document }, { signal: options.signal })).page;
  }

  /**
   * Yields every record of 1 to 16 scopes that matches, the newest first unless `order` says
   * otherwise, fetched a page at a time.
   */
  async *search(
    scopes: ScopeInput | readonly ScopeInput[],
    filter: SearchFilterInput = {},
    options: SearchOptions = {},
  ): AsyncGenerator<SearchMatch, void> {
    const pages = pagesFrom(options.cursor ?? null, (position) =>
      this.searchPage(scopes, filter, { ...options, ...position }),
    );
    for await (const page of pages) yield* page.matches;
  }

  /**
   * Counts the records of 1 to 16 scopes that match, fetched a page at a time. With `by`, also how
   * many there are of each type, tag, author or UTC day, the largest groups first. Like a search it
   * is no snapshot: what matched throughout is counted once.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
   * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
   *
   * await agent.memory.create(scope, {
   *   episode_type: 'Observation',
   *   content: { primary: 'Tea.' },
   *   event_time_millis: Date.now(),
   *   tags: ['drink'],
   * });
   * const { matches, tags } = await agent.memory.count(scope, {}, { by: ['tag'] });
   * console.log(matches, tags); // 1 [ { tag: 'drink', matches: 1 } ]
   * ```
   */
  async count(
    scopes: ScopeInput | readonly ScopeInput[],
    filter: SearchFilterInput = {},
    options: SearchCountOptions = {},
  ): Promise<SearchCounts> {
    requireArguments('memory.count()', { scopes });
    refuseUnknownOptions('memory.count()', options, ['by', 'scanLimit', 'signal']);
    const { by = [], scanLimit, signal } = options;
    const asked = { counts: { by }, ...(scanLimit === undefined ? {} : { scanLimit }), signal };
    const total = new GroupCounts(by);
    const pages = pagesFrom(null, (position) =>
      this.searchPage(scopes, filter, { ...asked, ...position }),
    );
    for await (const { counts } of pages) if (counts !== undefined) total.addAll(counts);
    return total.shown();
  }

  /**
   * Returns the embedding of a text that is looked for, as `embed` makes it. The last 64 are kept.
   * @throws {AgentkeepError} `invalid_request` where the keep or client was given no `embed`.
   */
  async embedQuery(text: string): Promise<readonly number[]> {
    requireArguments('memory.embedQuery()', { text });
    return requireEmbed(this.embeddings).query(text);
  }

  /** Returns the vector of a search, made of its text if it has one. */
  async #vectorOf(vector: SearchOptions['vector']): Promise<SearchVectorInput | undefined> {
    if (vector === undefined || !('text' in vector)) return vector;
    const { text, ...rest } = vector;
    return { ...rest, values: [...(await this.embedQuery(text))] };
  }
}
