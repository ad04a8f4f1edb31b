/** The calls of scoped memory, each with its scope: commands, beside the reads. */
import type { ScopeInput } from '../access/scope.js';
import { refuseUnknownOptions, requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type {
  BatchCommand,
  BatchReceipt,
  MemoryChangeInput,
  Receipt,
  RecordInput,
} from '../memory/documents/schema.js';
import { type EmbeddingReport, type Embeddings, requireEmbed, textOf } from './embeddings.js';
import { pagesFrom } from './page-walk.js';
import { batchesOf } from './batches-of.js';
import type { CallOperation, CallOptions, NewKey, PartsOf } from './call.js';
import { wireTarget } from './memory-documents.js';
import type { CommandOptions, NamedOptions, OldRevision, RecordTarget } from './memory-options.js';
import { MemoryReads } from './memory-reads.js';

type Change = PartsOf<'executeMemoryCommand'>['document']['operation'];

/** Calls on the memory of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryCalls extends MemoryReads {
  readonly #newKey: NewKey;

  constructor(call: CallOperation, newKey: NewKey, embeddings?: Embeddings) {
    super(call, embeddings);
    this.#newKey = newKey;
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
   * Gives a record a new revision with the payload of an old one. A deleted record is restored as
   * long as the tenant keeps its content.
   * @throws {AgentkeepError} `record_not_found` when the old revision isn't kept;
   * `revision_conflict` when the record isn't at the expected revision, or another record has its
   * name.
   */
  async restore(
    scope: ScopeInput,
    target: OldRevision & RecordTarget,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    const call = 'memory.restore()';
    requireArguments(call, { scope, target });
    const { revision } = target;
    requireArguments(call, { 'target.revision': revision });
    const operation = { type: 'restore', ...wireTarget(call, target), revision } as const;
    return this.#execute(call, scope, operation, options);
  }

  /**
   * Takes the payload of an old revision away for good.
   * @throws {AgentkeepError} `record_not_found` when the old revision isn't kept;
   * `current_revision` when it is the current one.
   */
  async redact(
    scope: ScopeInput,
    target: OldRevision,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    const call = 'memory.redact()';
    requireArguments(call, { scope, target });
    const { recordId, revision } = target;
    requireArguments(call, { 'target.recordId': recordId, 'target.revision': revision });
    const operation = { type: 'redact', record_id: recordId, revision } as const;
    return this.#execute(call, scope, operation, options);
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
    const { receipt } = await this.call('executeMemoryBatch', { document }, { signal });
    this.#follow(receipt.outcomes, document.commands);
    return receipt;
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
    for await (const commands of batchesOf(scope, creationsOf(records))) {
      number += 1;
      const ofBatch = { idempotencyKey: `${idempotencyKey}/${number}`, signal };
      yield await this.batch(commands, ofBatch);
    }
  }

  /**
   * Makes the embeddings that records of 1 to 16 scopes lack, oldest first: of records that were
   * written before there was `embed`, by others, or while it failed. Returns how many it attached.
   * @throws {AgentkeepError} `invalid_request` without `embed`; what `embed` throws is thrown on.
   */
  async embedMissing(
    scopes: ScopeInput | readonly ScopeInput[],
    { signal }: CallOptions = {},
  ): Promise<number> {
    requireArguments('memory.embedMissing()', { scopes });
    const embeddings = requireEmbed(this.embeddings);
    const options = { order: 'oldest', limit: 32, signal } as const;
    let attached = 0;
    const pages = pagesFrom(null, (position) =>
      this.searchPage(scopes, { embedded: false }, { ...options, ...position }),
    );
    for await (const { matches } of pages) {
      const records = matches.map(({ scope, record: { record_id, revision, payload } }) => ({
        ...{ scope, recordId: record_id, revision, text: textOf(payload.content) },
      }));
      const texts = records.filter(({ text }) => text !== '');
      attached += await embeddings.embedNow(this.call, texts);
    }
    return attached;
  }

  /**
   * Waits until the records that were written so far have their embeddings, or were given up, and
   * returns what became of those of the whole keep or client. At once without `embed`.
   */
  async embedded(): Promise<EmbeddingReport> {
    const none = { attached: 0, outdated: 0, missed: 0, lastError: undefined };
    return (await this.embeddings?.settled()) ?? none;
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
    const { receipt } = await this.call('executeMemoryCommand', { document }, { signal });
    this.#follow([receipt], [{ scope, operation }]);
    return receipt;
  }

  /** Has the records embedded that were written without an embedding of their own. */
  #follow(made: readonly RecordRevision[], commands: readonly BatchCommand[]): void {
    const { embeddings } = this;
    if (embeddings === undefined) return;
    const records = commands.flatMap(({ scope, operation }, index) => {
      const revised = made[index];
      if (revised === undefined || !('record' in operation)) return [];
      const { record_id: recordId, revision } = revised;
      const { content } = operation.record;
      const text = textOf(content);
      const isOwn = (content.embedding ?? []).length > 0;
      return isOwn || text === '' ? [] : [{ scope, recordId, revision, text }];
    });
    if (records.length > 0) embeddings.add(this.call, records);
  }
}

type RecordRevision = Pick<Receipt, 'record_id' | 'revision'>;

async function* creationsOf(
  records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
): AsyncGenerator<MemoryChangeInput, void> {
  for await (const record of records) yield { type: 'create', record };
}
