/** Scoped memory as an agent uses it. */
import type { ScopeInput } from '../access/scope.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type {
  BatchCommand,
  BatchReceipt,
  MemoryChangeInput,
  MemoryRecord,
  QueryPage,
  Receipt,
  RecordInput,
} from '../memory/schema.js';
import { batchesOf } from './batches-of.js';
import type { CallOperation, CallOptions, NewKey, PartsOf } from './call.js';
import { filterOf, parametersOf, wireTarget } from './memory-documents.js';
import type { CommandOptions, MemoryQuery, NamedOptions, RecordTarget } from './memory-options.js';

type Change = PartsOf<'executeMemoryCommand'>['document']['operation'];

/** The memory of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryClient {
  readonly #call: CallOperation;
  readonly #newKey: NewKey;

  constructor(call: CallOperation, newKey: NewKey) {
    this.#call = call;
    this.#newKey = newKey;
  }

  /**
   * Returns the same memory with the scope given once.
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
   * const { record_id } = await memory.create({
   *   episode_type: 'Decision',
   *   content: { primary: 'Answer in two sentences.' },
   *   event_time_millis: Date.now(),
   * });
   * console.log((await memory.read(record_id)).revision); // 1
   * ```
   */
  in(scope: ScopeInput): ScopedMemory {
    requireArguments('memory.in()', { scope });
    return new ScopedMemory(this, scope);
  }

  /** Creates a record. */
  async create(
    scope: ScopeInput,
    record: RecordInput,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    requireArguments('memory.create()', { scope, record });
    return this.#execute('memory.create()', scope, { type: 'create', record }, options);
  }

  /** Replaces the payload of a record. */
  async update(
    scope: ScopeInput,
    target: RecordTarget,
    record: RecordInput,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    const call = 'memory.update()';
    requireArguments(call, { scope, target, record });
    const operation = { type: 'update', ...wireTarget(call, target), record } as const;
    return this.#execute(call, scope, operation, options);
  }

  /** Deletes a record for good. */
  async delete(
    scope: ScopeInput,
    target: RecordTarget,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    const call = 'memory.delete()';
    requireArguments(call, { scope, target });
    return this.#execute(call, scope, { type: 'delete', ...wireTarget(call, target) }, options);
  }

  /**
   * Creates the record of a name, or replaces its payload.
   * @throws {AgentkeepError} `revision_conflict` when it isn't at the expected revision.
   */
  async put(
    scope: ScopeInput,
    name: string,
    record: RecordInput,
    options: NamedOptions = {},
  ): Promise<Receipt> {
    requireArguments('memory.put()', { scope, name, record });
    return this.#executeNamed('memory.put()', scope, { type: 'put', name, record }, options);
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
      return (await this.#call('readNamedRecord', { parameters }, options)).record;
    } catch (error) {
      if (error instanceof AgentkeepError && error.code === 'record_not_found') return undefined;
      throw error;
    }
  }

  /**
   * Deletes the record of a name for good, and frees the name.
   * @throws {AgentkeepError} `record_not_found` when no record has the name; `revision_conflict` when
   * it isn't at the expected revision.
   */
  async remove(scope: ScopeInput, name: string, options: NamedOptions = {}): Promise<Receipt> {
    requireArguments('memory.remove()', { scope, name });
    return this.#executeNamed('memory.remove()', scope, { type: 'remove', name }, options);
  }

  /**
   * Reads a current record.
   * @throws {AgentkeepError} `record_not_found` when it is absent, deleted or expired.
   */
  async read(scope: ScopeInput, recordId: string, options?: CallOptions): Promise<MemoryRecord> {
    requireArguments('memory.read()', { scope, recordId });
    const parameters = { contract_version: CONTRACT_VERSION, ...parametersOf(scope) };
    const { record } = await this.#call('readMemoryRecord', { id: recordId, parameters }, options);
    return record;
  }

  /** Returns one page of a query; go on with `next_after` as `after`, even if the page is empty. */
  async queryPage(scope: ScopeInput, query: MemoryQuery = {}): Promise<QueryPage> {
    requireArguments('memory.queryPage()', { scope });
    const { signal } = query;
    const filter = filterOf('memory.queryPage()', query);
    const document = { contract_version: CONTRACT_VERSION, scope, filter };
    const { page } = await this.#call('queryMemory', { document }, { signal });
    return page;
  }

  /** Yields every record that matches, in order of creation, fetched a page at a time. */
  async *query(scope: ScopeInput, query: MemoryQuery = {}): AsyncGenerator<MemoryRecord, void> {
    let next = query.after ?? null;
    do {
      const position = next === null ? {} : { after: next };
      const page = await this.queryPage(scope, { ...query, ...position });
      yield* page.records;
      next = page.next_after;
    } while (next !== null);
  }

  /**
   * Executes 1 to 256 commands in their order, all or none. Each sees the changes of those before
   * it, and their scopes may differ. The receipt has one outcome for each command.
   * @throws {AgentkeepError} as the first command that is refused; its `members` name the command.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
   * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
   *
   * const record = {
   *   episode_type: 'Observation' as const,
   *   content: { primary: 'Prefers tea.' },
   *   event_time_millis: Date.now(),
   * };
   * const { outcomes } = await agent.memory.batch([
   *   { scope, operation: { type: 'put', name: 'user/ann', record } },
   *   { scope, operation: { type: 'create', record } },
   * ]);
   * console.log(outcomes.length); // 2
   * ```
   */
  async batch(
    commands: readonly BatchCommand[],
    options: CommandOptions = {},
  ): Promise<BatchReceipt> {
    requireArguments('memory.batch()', { commands });
    const { idempotencyKey, signal } = this.#commandOptions('memory.batch()', options);
    const document = {
      contract_version: CONTRACT_VERSION,
      idempotency_key: idempotencyKey,
      commands: [...commands],
    };
    return (await this.#call('executeMemoryBatch', { document }, { signal })).receipt;
  }

  /**
   * Creates any number of records, in batches as large as they can be, and yields the receipt of
   * each. `idempotencyKey` names the whole work: to go on after a failure, call it again with the
   * same key and the same records, and what is stored already is not stored again.
   * @throws {AgentkeepError} when a batch is refused; those before it stay.
   */
  async *createMany(
    scope: ScopeInput,
    records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
    options: CommandOptions = {},
  ): AsyncGenerator<BatchReceipt, void> {
    requireArguments('memory.createMany()', { scope, records });
    const { idempotencyKey, signal } = this.#commandOptions('memory.createMany()', options);
    let number = 0;
    for await (const commands of batchesOf(scope, records)) {
      number += 1;
      const ofBatch = { idempotencyKey: `${idempotencyKey}/${number}`, signal };
      yield await this.batch(commands, ofBatch);
    }
  }

  #commandOptions(call: string, options: CommandOptions) {
    refuseUnknownOptions(call, options, ['idempotencyKey', 'signal']);
    const { idempotencyKey = this.#newKey(), signal } = options;
    return { idempotencyKey, signal };
  }

  #executeNamed(
    call: string,
    scope: ScopeInput,
    change: Extract<Change, { type: 'put' | 'remove' }>,
    { expectedRevision, ...options }: NamedOptions,
  ): Promise<Receipt> {
    const expected = expectedRevision === undefined ? {} : { expected_revision: expectedRevision };
    return this.#execute(call, scope, { ...change, ...expected }, options);
  }

  async #execute(
    call: string,
    scope: ScopeInput,
    operation: Change,
    options: CommandOptions,
  ): Promise<Receipt> {
    const { idempotencyKey, signal } = this.#commandOptions(call, options);
    const document = {
      contract_version: CONTRACT_VERSION,
      idempotency_key: idempotencyKey,
      scope,
      operation,
    };
    const { receipt } = await this.#call('executeMemoryCommand', { document }, { signal });
    return receipt;
  }
}

/** {@link MemoryClient} with the scope given once, by {@link MemoryClient.in}. */
export class ScopedMemory {
  /** The scope of every call. */
  readonly scope: ScopeInput;
  readonly #memory: MemoryClient;

  constructor(memory: MemoryClient, scope: ScopeInput) {
    this.#memory = memory;
    this.scope = Object.freeze({ ...scope });
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

  /** Creates the record of a name, or replaces its payload; see {@link MemoryClient.put}. */
  put(name: string, record: RecordInput, options?: NamedOptions): Promise<Receipt> {
    return this.#memory.put(this.scope, name, record, options);
  }

  /** Reads the current record of a name. Returns `undefined` when there is none. */
  get(name: string, options?: CallOptions): Promise<MemoryRecord | undefined> {
    return this.#memory.get(this.scope, name, options);
  }

  /** Deletes the record of a name for good; see {@link MemoryClient.remove}. */
  remove(name: string, options?: NamedOptions): Promise<Receipt> {
    return this.#memory.remove(this.scope, name, options);
  }

  /** Executes 1 to 256 changes in their order, all or none; see {@link MemoryClient.batch}. */
  batch(changes: readonly MemoryChangeInput[], options?: CommandOptions): Promise<BatchReceipt> {
    requireArguments('memory.batch()', { changes });
    const { scope } = this;
    return this.#memory.batch(
      changes.map((operation) => ({ scope, operation })),
      options,
    );
  }

  /** Creates any number of records in batches; see {@link MemoryClient.createMany}. */
  createMany(
    records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
    options?: CommandOptions,
  ): AsyncGenerator<BatchReceipt, void> {
    return this.#memory.createMany(this.scope, records, options);
  }

  /**
   * Reads a current record.
   * @throws {AgentkeepError} `record_not_found` when it is absent, deleted or expired.
   */
  read(recordId: string, options?: CallOptions): Promise<MemoryRecord> {
    return this.#memory.read(this.scope, recordId, options);
  }

  /** Returns one page of a query; go on with `next_after` as `after`, even if the page is empty. */
  queryPage(query?: MemoryQuery): Promise<QueryPage> {
    return this.#memory.queryPage(this.scope, query);
  }

  /** Yields every record that matches, in order of creation, fetched a page at a time. */
  query(query?: MemoryQuery): AsyncGenerator<MemoryRecord, void> {
    return this.#memory.query(this.scope, query);
  }
}
