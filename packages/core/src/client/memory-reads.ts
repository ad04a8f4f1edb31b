/** The calls of scoped memory that change nothing. */
import type { MemoryScopeInput } from '../kernel/access/scope.js';
import { AgentkeepError, hasCode } from '../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../contract/errors/arguments.js';
import { CHANGES_WAIT_MILLIS_MAX } from '../contract/limits.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { ChangePage, CommittedChange } from '../domains/memory/changes/schema.js';
import type { MemoryRecord } from '../domains/memory/documents/schema.js';
import type { MemoryReader, ReadersPage } from '../domains/memory/documents/reads-schema.js';
import type { MemoryRevision, RevisionsPage } from '../domains/memory/documents/revision-schema.js';
import type { QueryPage } from '../domains/memory/documents/query-schema.js';
import type { SearchCounts } from '../domains/memory/search/documents/counts-schema.js';
import { GroupCounts } from '../domains/memory/search/examination/group-counts.js';
import type {
  SearchFilterInput,
  SearchMatch,
  SearchPage,
  SearchTextInput,
  SearchVectorInput,
} from '../domains/memory/search/documents/schema.js';
import { type CallOperation, type NewKey, stated } from './call.js';
import { ConsumersClient } from './consuming/consumer.js';
import { type Embeddings, requireEmbed } from './embeddings.js';
import type { HomeScope } from './recalling/home-scope.js';
import type { ServerFacts } from './recalling/recall-from.js';
import { everyItem, pagesFrom, repeatedCursor, walkPages } from './lists/page-walk.js';
import {
  asOfParameters,
  changeParametersOf,
  parametersOf,
  queryOf,
  revisionParameters,
  searchOf,
} from './memory-documents.js';
import type {
  AsOfOptions,
  ChangeOptions,
  ChangePageOptions,
  NamedRecord,
  QueryFilterInput,
  QueryOptions,
  ReadOptions,
  RevisionsOptions,
  RevisionsPageOptions,
  SearchCountOptions,
  SearchOptions,
} from './memory-options.js';

/** What the memory of an agent calls, and what it makes for commands and searches. */
export interface MemoryParts {
  readonly call: CallOperation;
  readonly newKey: NewKey;
  readonly embeddings: Embeddings | undefined;
  readonly server: ServerFacts;
  /** The scope that is meant where none is named. */
  readonly home: HomeScope;
}

/** Reads of scoped memory. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryReads {
  /** Whether the keep or client was given `embed`, so that texts and queries get embeddings. */
  readonly embeds: boolean;

  /** The space of these embeddings, if the keep or client was given its name. */
  readonly embeddingSpace: string | undefined;

  /** What the calls are made with. */
  protected readonly parts: MemoryParts;

  /** The scope that `in()` named. */
  protected readonly given: MemoryScopeInput | undefined;

  constructor(parts: MemoryParts, scope?: MemoryScopeInput) {
    this.parts = parts;
    this.embeds = parts.embeddings !== undefined;
    this.embeddingSpace = parts.embeddings?.space;
    this.given = scope === undefined ? undefined : Object.freeze({ ...scope });
  }

  /**
   * The scope of every call.
   * @throws {AgentkeepError} `invalid_request` where `memory.in()` has not named one.
   */
  get scope(): MemoryScopeInput {
    if (this.given !== undefined) return this.given;
    const members = [{ path: 'scope', expected: 'a scope' }];
    const message = 'memory.scope: no scope is named. Name one with `agent.memory.in(scope)`.';
    throw new AgentkeepError('invalid_request', { members, message });
  }

  /** Positions in the changes that the server keeps, so that one worker at a time goes on. */
  get consumers(): ConsumersClient {
    const { call, newKey } = this.parts;
    return new ConsumersClient({ call, newKey, scope: this.given });
  }

  /**
   * Reads a current record, or one of its revisions.
   * @throws {AgentkeepError} `record_not_found` when it is absent, deleted or expired, or when the
   * revision isn't kept.
   */
  read(recordId: string, options?: ReadOptions): Promise<MemoryRecord>;
  /** Reads the current record of a name. Returns `undefined` when no record has it. */
  read(target: NamedRecord, options?: AsOfOptions): Promise<MemoryRecord | undefined>;
  /** Reads a record by its id or name. */
  async read(
    target: string | NamedRecord,
    options: ReadOptions = {},
  ): Promise<MemoryRecord | undefined> {
    const call = 'memory.read()';
    requireArguments(call, { recordId: target });
    if (typeof target === 'object') return this.#readNamed(target, options);
    const wanted = revisionParameters(call, options);
    const parameters = {
      contract_version: CONTRACT_VERSION,
      ...parametersOf(this.given ?? (await this.parts.home.scope(call))),
      ...wanted,
    };
    const parts = { id: target, parameters };
    const { signal } = options;
    return (await this.parts.call('readMemoryRecord', parts, { signal })).record;
  }

  /** Returns one page of the revisions of a record, the newest first. */
  async historyPage(recordId: string, options: RevisionsPageOptions = {}): Promise<RevisionsPage> {
    const call = 'memory.historyPage()';
    requireArguments(call, { recordId });
    refuseUnknownOptions(call, options, ['limit', 'cursor', 'signal']);
    const { limit, cursor, signal } = options;
    const parameters = {
      contract_version: CONTRACT_VERSION,
      ...parametersOf(this.given ?? (await this.parts.home.scope(call))),
      ...stated({ limit, cursor }),
    };
    const parts = { id: recordId, parameters };
    const { page } = await this.parts.call('listMemoryRevisions', parts, { signal });
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
    recordId: string,
    options: RevisionsOptions = {},
  ): AsyncGenerator<MemoryRevision, void> {
    requireArguments('memory.history()', { recordId });
    refuseUnknownOptions('memory.history()', options, ['limit', 'signal']);
    yield* everyItem((position) => this.historyPage(recordId, { ...options, ...position }));
  }

  /**
   * Returns one page of who read a record, in the order of their ids, where reads are counted
   * (docs/contract/history.md#his-41).
   * @throws {AgentkeepError} `record_not_found`; `forbidden` in a shared scope without
   * `credential_admin`.
   */
  async readersPage(recordId: string, options: RevisionsPageOptions = {}): Promise<ReadersPage> {
    const call = 'memory.readersPage()';
    requireArguments(call, { recordId });
    refuseUnknownOptions(call, options, ['limit', 'cursor', 'signal']);
    const { signal, ...wanted } = options;
    const parameters = {
      contract_version: CONTRACT_VERSION,
      ...parametersOf(this.given ?? (await this.parts.home.scope(call))),
      ...wanted,
    };
    const parts = { id: recordId, parameters };
    return (await this.parts.call('listMemoryReads', parts, { signal })).page;
  }

  /** Yields who read a record, with the days, fetched a page at a time; see `readersPage()`. */
  async *readers(
    recordId: string,
    options: RevisionsOptions = {},
  ): AsyncGenerator<MemoryReader, void> {
    requireArguments('memory.readers()', { recordId });
    refuseUnknownOptions('memory.readers()', options, ['limit', 'signal']);
    yield* everyItem((position) => this.readersPage(recordId, { ...options, ...position }));
  }

  /** Returns one page of a query; go on with `next_after` as `after`, even if the page is empty. */
  async queryPage(filter: QueryFilterInput = {}, options: QueryOptions = {}): Promise<QueryPage> {
    const call = 'memory.queryPage()';
    const query = queryOf(call, filter, options);
    const scope = this.given ?? (await this.parts.home.scope(call));
    const { signal, ...members } = query;
    const document = { contract_version: CONTRACT_VERSION, scope, ...members };
    return (await this.parts.call('queryMemory', { document }, { signal })).page;
  }

  /** Yields every record that matches, in order of creation, fetched a page at a time. */
  async *query(
    filter: QueryFilterInput = {},
    options: QueryOptions = {},
  ): AsyncGenerator<MemoryRecord, void> {
    const pages = walkPages(
      options.after ?? null,
      (after) => this.queryPage(filter, after === null ? options : { ...options, after }),
      (page) => page.next_after,
    );
    for await (const page of pages) yield* page.records;
  }

  /**
   * Returns one page of committed changes; go on with `next_after` as `after`. Changes have the
   * order of their commits, and a reader that goes on misses none and sees none twice. Without a
   * scope, they are those of all scopes that the agent may read.
   * @throws {AgentkeepError} `position_expired` when changes after the cursor are no longer kept.
   */
  async changesPage(options: ChangePageOptions = {}): Promise<ChangePage> {
    const call = 'memory.changesPage()';
    const names = ['after', 'limit', 'waitMillis', 'proposals', 'signal'] as const;
    refuseUnknownOptions(call, options, names);
    const { signal } = options;
    const parameters = {
      contract_version: CONTRACT_VERSION,
      ...changeParametersOf(this.given, options),
    };
    return (await this.parts.call('listMemoryChanges', { parameters }, { signal })).page;
  }

  /**
   * Yields committed changes in the order of their commits, and waits for more until the signal
   * ends it. To go on later, keep the `cursor` of the last change and pass it as `after`.
   * @throws {AgentkeepError} `position_expired` when changes after the cursor are no longer kept;
   * `unauthorized` once the credential of the agent has ended.
   */
  async *changes(options: ChangeOptions = {}): AsyncGenerator<CommittedChange, void> {
    refuseUnknownOptions('memory.changes()', options, ['after', 'signal']);
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
    filter: SearchFilterInput = {},
    options: SearchOptions = {},
  ): Promise<SearchPage> {
    const call = 'memory.searchPage()';
    const scopes = options.scopes ?? [this.given ?? (await this.parts.home.scope(call))];
    const vector = await this.#vectorOf(options.vector);
    const isText = options.vector !== undefined && 'text' in options.vector;
    const space = options.space ?? (isText ? this.embeddingSpace : undefined);
    const document = searchOf(call, scopes, filter, { ...options, vector, space });
    return (await this.parts.call('searchMemory', { document }, { signal: options.signal })).page;
  }

  /**
   * Yields every record that matches, the newest first unless `order` says otherwise, fetched a
   * page at a time. With `scopes`, it looks in 1 to 16 scopes instead of the memory's own.
   */
  async *search(
    filter: SearchFilterInput = {},
    options: SearchOptions = {},
  ): AsyncGenerator<SearchMatch, void> {
    const pages = pagesFrom(options.cursor ?? null, (position) =>
      this.searchPage(filter, { ...options, ...position }),
    );
    for await (const page of pages) yield* page.matches;
  }

  /**
   * Counts the records that match, fetched a page at a time. With `by`, also how many there are of
   * each type, tag, author or UTC day, the largest groups first. Like a search it is no snapshot:
   * what matched throughout is counted once. With `scopes`, it counts in 1 to 16 scopes.
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
   * await memory.create({
   *   episode_type: 'Observation',
   *   content: { primary: 'Tea.' },
   *   event_time_millis: Date.now(),
   *   tags: ['drink'],
   * });
   * const { matches, tags } = await memory.count({}, { by: ['tag'] });
   * console.log(matches, tags); // 1 [ { tag: 'drink', matches: 1 } ]
   * ```
   */
  async count(
    filter: SearchFilterInput = {},
    options: SearchCountOptions = {},
  ): Promise<SearchCounts> {
    const call = 'memory.count()';
    refuseUnknownOptions(call, options, [
      'by',
      'scanLimit',
      'asOf',
      'onMissing',
      'scopes',
      'signal',
    ]);
    const { by = [], scanLimit, asOf, signal } = options;
    const scopes = options.scopes ?? [this.given ?? (await this.parts.home.scope(call))];
    const asked = { counts: { by }, scopes, ...stated({ scanLimit }), asOf, signal };
    const total = new GroupCounts(by);
    const pages = pagesFrom(null, (position) => this.searchPage(filter, { ...asked, ...position }));
    let missing: number | undefined;
    for await (const { counts, missing_records = missing } of pages) {
      if (counts !== undefined) total.addAll(counts);
      missing = missing_records;
    }
    if (missing !== undefined) options.onMissing?.(missing);
    return total.shown();
  }

  /**
   * Returns the embedding of a text that is looked for, as `embed` makes it: empty for a text that
   * the model doesn't understand. The last 64 are kept.
   * @throws {AgentkeepError} `invalid_request` where the keep or client was given no `embed`.
   */
  async embedQuery(text: string): Promise<readonly number[]> {
    requireArguments('memory.embedQuery()', { text });
    return requireEmbed(this.parts.embeddings).query(text);
  }

  async #readNamed(target: NamedRecord, options: AsOfOptions): Promise<MemoryRecord | undefined> {
    const call = 'memory.read()';
    const { name } = target;
    requireArguments(call, { 'target.name': name });
    refuseUnknownOptions(call, options, ['asOf', 'signal']);
    const { asOf, ...rest } = options;
    const scope = parametersOf(this.given ?? (await this.parts.home.scope(call)));
    const wanted = { name, ...asOfParameters(asOf) };
    const parameters = { contract_version: CONTRACT_VERSION, ...scope, ...wanted };
    try {
      return (await this.parts.call('readNamedRecord', { parameters }, rest)).record;
    } catch (error) {
      if (hasCode(error, 'record_not_found')) return undefined;
      throw error;
    }
  }

  /** Returns the vector of a search; without `embed`, the server makes that of a text. */
  async #vectorOf(
    vector: SearchOptions['vector'],
  ): Promise<SearchVectorInput | SearchTextInput | undefined> {
    if (vector === undefined || !('text' in vector) || !this.embeds) return vector;
    const { text, ...rest } = vector;
    const values = [...(await this.embedQuery(text))];
    if (values.length > 0) return { ...rest, values };
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'vector.text', expected: 'a text that `embed` makes an embedding of' }],
      message: 'The model of `embed` makes no embedding of this text. Search by words.',
    });
  }
}
