/** The memory of an agent in one scope. */
import type { ScopeInput } from '../access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import type { ChangePage, CommittedChange } from '../memory/changes/schema.js';
import type {
  BatchReceipt,
  MemoryChangeInput,
  MemoryRecord,
  MemoryRevision,
  QueryPage,
  Receipt,
  RecordInput,
  RevisionsPage,
} from '../memory/documents/schema.js';
import type { SearchCounts } from '../memory/search/documents/counts-schema.js';
import type {
  SearchFilterInput,
  SearchMatch,
  SearchPage,
} from '../memory/search/documents/schema.js';
import type { CallOptions } from './call.js';
import { recallFrom, type RecallOptions } from './recalling/recall-from.js';
import type { Recollection } from './recalling/recollection.js';
import { recordOfText } from './memory-documents.js';
import type { MemoryCalls } from './memory-calls.js';
import type {
  ChangeOptions,
  ChangePageOptions,
  CommandOptions,
  RevisionsOptions,
  RevisionsPageOptions,
  MemoryQuery,
  NamedOptions,
  OldRevision,
  ReadOptions,
  RecordTarget,
  RememberOptions,
  SearchCountOptions,
  SearchOptions,
} from './memory-options.js';

/** {@link MemoryCalls} with the scope given once, by `memory.in()`. */
export class ScopedMemory {
  /** The scope of every call. */
  readonly scope: ScopeInput;
  readonly #memory: MemoryCalls;

  constructor(memory: MemoryCalls, scope: ScopeInput) {
    this.#memory = memory;
    this.scope = Object.freeze({ ...scope });
  }

  /**
   * Stores a text, or replaces the one that has its name.
   * @throws {AgentkeepError} `idempotency_conflict` for a key that named another text before.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { memory } = await agentFor(keep, { subject: 'ann' });
   *
   * await memory.remember('Ann prefers short answers.', { name: 'style', tags: ['preference'] });
   * ```
   */
  async remember(text: string, options: RememberOptions = {}): Promise<Receipt> {
    requireArguments('memory.remember()', { text });
    const record = recordOfText('memory.remember()', text, options);
    const { name, idempotencyKey, signal } = options;
    const command = { idempotencyKey, signal };
    return name === undefined ? this.create(record, command) : this.put(name, record, command);
  }

  /**
   * Recalls what answers a question, the best answer first: records with its rarest words, in all
   * their forms, that haven't expired. Each says which words it was found by.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { memory } = await agentFor(keep, { subject: 'ann' });
   * await memory.remember('Ann prefers short answers.');
   *
   * const [best] = await memory.recall('How should I answer Ann?');
   * console.log(best?.text); // Ann prefers short answers.
   * ```
   */
  recall(question: string, options?: RecallOptions): Promise<Recollection[]> {
    return recallFrom(this.#memory, [this.scope], question, options);
  }

  /** Creates a record. */
  create(record: RecordInput, options?: CommandOptions): Promise<Receipt> {
    return this.#memory.create(this.scope, record, options);
  }

  /** Replaces the payload of a record. */
  update(target: RecordTarget, record: RecordInput, options?: CommandOptions): Promise<Receipt> {
    return this.#memory.update(this.scope, target, record, options);
  }

  /** Deletes a record for good. */
  delete(target: RecordTarget, options?: CommandOptions): Promise<Receipt> {
    return this.#memory.delete(this.scope, target, options);
  }

  /** Creates the record of a name, or replaces its payload; see {@link MemoryCalls.put}. */
  put(name: string, record: RecordInput, options?: NamedOptions): Promise<Receipt> {
    return this.#memory.put(this.scope, name, record, options);
  }

  /** Reads the current record of a name. Returns `undefined` when there is none. */
  get(name: string, options?: CallOptions): Promise<MemoryRecord | undefined> {
    return this.#memory.get(this.scope, name, options);
  }

  /** Deletes the record of a name for good; see {@link MemoryCalls.remove}. */
  remove(name: string, options?: NamedOptions): Promise<Receipt> {
    return this.#memory.remove(this.scope, name, options);
  }

  /** Returns one page of changes of the scope; see {@link MemoryCalls.changesPage}. */
  changesPage(options: Omit<ChangePageOptions, 'scope'> = {}): Promise<ChangePage> {
    return this.#memory.changesPage({ ...options, scope: this.scope });
  }

  /** Yields changes of the scope, and waits for more; see {@link MemoryCalls.changes}. */
  changes(options: Omit<ChangeOptions, 'scope'> = {}): AsyncGenerator<CommittedChange, void> {
    return this.#memory.changes({ ...options, scope: this.scope });
  }

  /** Executes 1 to 256 changes in their order, all or none; see {@link MemoryCalls.batch}. */
  batch(changes: readonly MemoryChangeInput[], options?: CommandOptions): Promise<BatchReceipt> {
    requireArguments('memory.batch()', { changes });
    const { scope } = this;
    return this.#memory.batch(
      changes.map((operation) => ({ scope, operation })),
      options,
    );
  }

  /** Creates any number of records in batches; see {@link MemoryCalls.createMany}. */
  createMany(
    records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
    options?: CommandOptions,
  ): AsyncGenerator<BatchReceipt, void> {
    return this.#memory.createMany(this.scope, records, options);
  }

  /**
   * Reads a current record, or one of its revisions.
   * @throws {AgentkeepError} `record_not_found` when it is absent, deleted or expired, or when the
   * revision isn't kept.
   */
  read(recordId: string, options?: ReadOptions): Promise<MemoryRecord> {
    return this.#memory.read(this.scope, recordId, options);
  }

  /** Returns one page of the revisions of a record, the newest first. */
  historyPage(recordId: string, options?: RevisionsPageOptions): Promise<RevisionsPage> {
    return this.#memory.historyPage(this.scope, recordId, options);
  }

  /** Yields the revisions of a record, the newest first; see {@link MemoryCalls.history}. */
  history(recordId: string, options?: RevisionsOptions): AsyncGenerator<MemoryRevision, void> {
    return this.#memory.history(this.scope, recordId, options);
  }

  /** Gives a record the payload of an old revision; see {@link MemoryCalls.restore}. */
  restore(target: OldRevision & RecordTarget, options?: CommandOptions): Promise<Receipt> {
    return this.#memory.restore(this.scope, target, options);
  }

  /** Takes the payload of an old revision away; see {@link MemoryCalls.redact}. */
  redact(target: OldRevision, options?: CommandOptions): Promise<Receipt> {
    return this.#memory.redact(this.scope, target, options);
  }

  /** Returns one page of a query; go on with `next_after` as `after`, even if the page is empty. */
  queryPage(query?: MemoryQuery): Promise<QueryPage> {
    return this.#memory.queryPage(this.scope, query);
  }

  /** Yields every record that matches, in order of creation, fetched a page at a time. */
  query(query?: MemoryQuery): AsyncGenerator<MemoryRecord, void> {
    return this.#memory.query(this.scope, query);
  }

  /** Returns one page of a search; go on with `next_cursor` as `cursor`, even if it is empty. */
  searchPage(filter?: SearchFilterInput, options?: SearchOptions): Promise<SearchPage> {
    return this.#memory.searchPage(this.scope, filter, options);
  }

  /** Yields every record that matches, the newest first; see {@link MemoryCalls.search}. */
  search(filter?: SearchFilterInput, options?: SearchOptions): AsyncGenerator<SearchMatch, void> {
    return this.#memory.search(this.scope, filter, options);
  }

  /** Counts the records that match, by groups too; see {@link MemoryCalls.count}. */
  count(filter?: SearchFilterInput, options?: SearchCountOptions): Promise<SearchCounts> {
    return this.#memory.count(this.scope, filter, options);
  }

  /** Makes the embeddings that records lack; see {@link MemoryCalls.embedMissing}. */
  embedMissing(options?: CallOptions): Promise<number> {
    return this.#memory.embedMissing(this.scope, options);
  }
}
