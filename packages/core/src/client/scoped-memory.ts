/** The memory of an agent in one scope: commands, beside the reads. */
import type { MemoryScopeInput } from '../kernel/access/scope.js';
import {
  refuseUnknownOptions,
  requireArguments,
  wrongMembers,
} from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { embeddedText } from '../domains/memory/documents/embedded-text.js';
import type {
  BatchCommand,
  BatchReceipt,
  MemoryChangeInput,
  MemoryRecord,
  Receipt,
  RecordInput,
} from '../domains/memory/documents/schema.js';
import type { Dependent } from '../domains/memory/dependents/schema.js';
import { batchesOf, commandsIn, creationsOf } from './batches-of.js';
import type { CallOptions, PartsOf } from './call.js';
import { pagesFrom, tracedDependents } from './lists/page-walk.js';
import { type EmbeddingReport, requireEmbed } from './embeddings.js';
import { expected, recordOfText, traced, wireTarget } from './memory-documents.js';
import type {
  BatchOptions,
  CommandOptions,
  ErasureOptions,
  NamedOptions,
  NamedTarget,
  OldRevision,
  RecordTarget,
  RememberOptions,
  ScopesOptions,
} from './memory-options.js';
import { MemoryReads } from './memory-reads.js';
import { type Conflict, type ConflictOptions, conflictsWith } from './recalling/conflicts.js';
import { recallFrom, type RecallOptions } from './recalling/recall-from.js';
import { supersededChain } from './recalling/superseded-chain.js';
import { SpaceClient } from './space-client.js';
import type { Recollection } from './recalling/recollection.js';

/** What arguments have to be, for callers without types. */
const A_SCOPE = {
  path: 'scope',
  expected: 'an object with `project_id`, `agent_id` and `visibility`',
};
const A_TARGET = { path: 'target', expected: '{ recordId, expectedRevision } or { name }' };
const A_NAME = { path: 'name', expected: 'a text, before the record' };

type Change = PartsOf<'executeMemoryCommand'>['document']['operation'];

/**
 * The memory of an agent. Methods act in the scope that `in()` named. `agent.memory` acts in the
 * agent's own scope: the one that `agentFor()` was given, or the only one of its credential.
 *
 * Documents of the contract, as records and filters, are passed and returned as they are on the
 * wire, in `snake_case`. The options of a method are its last argument, in `camelCase`.
 *
 * Errors are those of the operations, as `AgentkeepError`.
 */
export class ScopedMemory extends MemoryReads {
  /**
   * Returns the memory of the agent in another scope.
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
  in(scope: MemoryScopeInput): ScopedMemory {
    requireArguments('memory.in()', { scope });
    if (typeof scope !== 'object') throw wrongMembers('memory.in()', [A_SCOPE]);
    return new ScopedMemory(this.parts, scope);
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
    const call = 'memory.remember()';
    requireArguments(call, { text });
    const record = recordOfText(call, text, options);
    const { name, idempotencyKey, signal } = options;
    const operation: Change =
      name === undefined ? { type: 'create', record } : { type: 'put', name, record };
    return this.#execute(call, operation, { idempotencyKey, signal });
  }

  /**
   * Recalls what answers a question, the best answer first: records that best have its words, in
   * all their forms, and haven't expired. Each says which words it was found by.
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
  async recall(
    question: string,
    { scopes, ...options }: RecallOptions & ScopesOptions = {},
  ): Promise<Recollection[]> {
    const call = 'memory.recall()';
    requireArguments(call, { question });
    const all = scopes ?? [this.given ?? (await this.parts.home.scope(call))];
    return recallFrom(this, { scopes: all, server: this.parts.server }, question, options);
  }

  /** Returns what a record superseded, as each ended, the latest first; see `supersedes`. */
  async superseded(record: MemoryRecord, options: CallOptions = {}): Promise<MemoryRecord[]> {
    requireArguments('memory.superseded()', { record });
    return supersededChain(this, record, options);
  }

  /** Returns records that may say something else of the same as `record`, for you to judge. */
  async conflicts(record: MemoryRecord, options: ConflictOptions = {}): Promise<Conflict[]> {
    requireArguments('memory.conflicts()', { record });
    return conflictsWith(this, record, options);
  }

  /** The embedding spaces of the scope, one for each model. */
  get spaces(): SpaceClient {
    const { call, home } = this.parts;
    return new SpaceClient(call, async (called) => this.given ?? (await home.scope(called)));
  }

  /** Creates a record. */
  async create(record: RecordInput, options: CommandOptions = {}): Promise<Receipt> {
    requireArguments('memory.create()', { record });
    return this.#execute('memory.create()', { type: 'create', record }, options);
  }

  /** Replaces the payload of a record. */
  async update(
    target: RecordTarget,
    record: RecordInput,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    const call = 'memory.update()';
    requireArguments(call, { target, record });
    const operation = { type: 'update', ...wireTarget(call, target), record } as const;
    return this.#execute(call, operation, options);
  }

  /**
   * Deletes a record for good, by its id or name; a name is free again then.
   * @throws {AgentkeepError} `record_not_found` when there is no such record; `revision_conflict`
   * when it isn't at the expected revision. The record of a name may have any if none is expected.
   */
  async delete(target: RecordTarget | NamedTarget, options: ErasureOptions = {}): Promise<Receipt> {
    const call = 'memory.delete()';
    requireArguments(call, { target });
    if (typeof target !== 'object') throw wrongMembers(call, [A_TARGET]);
    const { dependents, ...rest } = options;
    if (!('name' in target)) {
      const byId = { type: 'delete', ...wireTarget(call, target), ...traced(dependents) } as const;
      return this.#execute(call, byId, rest);
    }
    const { name, expectedRevision } = target;
    requireArguments(call, { 'target.name': name });
    const place = { name, ...expected(expectedRevision), ...traced(dependents) };
    return this.#execute(call, { type: 'remove', ...place }, rest);
  }

  /**
   * Yields what was derived, directly or not, from a record that was deleted or redacted with
   * `dependents`, after it was found and, with `cascade`, deleted or redacted. It may be called
   * again with the same receipt: after it was cut off, it goes on.
   * @throws {AgentkeepError} `record_not_found` where the command had no `dependents`, or a week
   * after it.
   */
  async *dependents(
    receipt: Pick<Receipt, 'record_id' | 'revision'>,
    options: CallOptions = {},
  ): AsyncGenerator<Dependent, void> {
    const call = 'memory.dependents()';
    requireArguments(call, { receipt });
    refuseUnknownOptions(call, options, ['signal']);
    const scope = this.given ?? (await this.parts.home.scope(call));
    yield* tracedDependents(this.parts.call, scope, receipt, options);
  }

  /**
   * Creates the record of a name, or replaces its payload.
   * @throws {AgentkeepError} `revision_conflict` when it isn't at the expected revision.
   */
  async put(name: string, record: RecordInput, options: NamedOptions = {}): Promise<Receipt> {
    const call = 'memory.put()';
    requireArguments(call, { name });
    if (typeof name !== 'string') throw wrongMembers(call, [A_NAME]);
    requireArguments(call, { record });
    const { expectedRevision, ...rest } = options;
    const operation = { type: 'put', name, record, ...expected(expectedRevision) } as const;
    return this.#execute(call, operation, rest);
  }

  /**
   * Gives a record a new revision with the payload of an old one. A deleted record is restored as
   * long as the tenant keeps its content.
   * @throws {AgentkeepError} `record_not_found` when the old revision isn't kept;
   * `revision_conflict` when the record isn't at the expected revision, or another record has its
   * name.
   */
  async restore(
    target: OldRevision & RecordTarget,
    options: CommandOptions = {},
  ): Promise<Receipt> {
    const call = 'memory.restore()';
    requireArguments(call, { target });
    const { revision } = target;
    requireArguments(call, { 'target.revision': revision });
    const operation = { type: 'restore', ...wireTarget(call, target), revision } as const;
    return this.#execute(call, operation, options);
  }

  /**
   * Takes the payload of an old revision away for good.
   * @throws {AgentkeepError} `record_not_found` when the old revision isn't kept;
   * `current_revision` when it is the current one.
   */
  async redact(target: OldRevision, options: ErasureOptions = {}): Promise<Receipt> {
    const call = 'memory.redact()';
    requireArguments(call, { target });
    const { recordId, revision } = target;
    requireArguments(call, { 'target.recordId': recordId, 'target.revision': revision });
    const { dependents, ...rest } = options;
    const place = { record_id: recordId, revision, ...traced(dependents) };
    return this.#execute(call, { type: 'redact', ...place }, rest);
  }

  /**
   * Executes 1 to 256 changes in their order, all or none. Each sees the changes of those before
   * it. `{ scope, operation }` is a change in another scope. The receipt has one outcome for each.
   * @throws {AgentkeepError} as the first change that is refused; its `members` name the change.
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
   * const { outcomes } = await agent.memory.in(scope).batch([
   *   { type: 'put', name: 'user/ann', record },
   *   { type: 'create', record },
   * ]);
   * console.log(outcomes.length); // 2
   * ```
   */
  async batch(
    changes: readonly (MemoryChangeInput | BatchCommand)[],
    options: BatchOptions = {},
  ): Promise<BatchReceipt> {
    const call = 'memory.batch()';
    requireArguments(call, { changes });
    const { propose, ...others } = options;
    const { idempotencyKey, signal } = this.#commandOptions(call, others);
    const isScoped = (change: MemoryChangeInput | BatchCommand) => 'operation' in change;
    const commands = changes.every(isScoped)
      ? [...changes]
      : commandsIn(this.given ?? (await this.parts.home.scope(call)), changes);
    const proposed = propose === true ? { propose } : {};
    const named = { contract_version: CONTRACT_VERSION, idempotency_key: idempotencyKey };
    const document = { ...named, commands, ...proposed };
    const { receipt } = await this.parts.call('executeMemoryBatch', { document }, { signal });
    if (receipt.proposal === undefined) this.#follow(receipt.outcomes, commands);
    return receipt;
  }

  /**
   * Creates any number of records, in batches as large as they can be, and yields the receipt of
   * each. `idempotencyKey` names the whole work: to go on after a failure, call it again with the
   * same key and the same records, and what is stored already is not stored again.
   * @throws {AgentkeepError} when a batch is refused; those before it stay.
   */
  async *createMany(
    records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
    options: CommandOptions = {},
  ): AsyncGenerator<BatchReceipt, void> {
    const call = 'memory.createMany()';
    requireArguments(call, { records });
    const { idempotencyKey, signal } = this.#commandOptions(call, options);
    const scope = this.given ?? (await this.parts.home.scope(call));
    let number = 0;
    for await (const commands of batchesOf(scope, creationsOf(records))) {
      number += 1;
      const ofBatch = { idempotencyKey: `${idempotencyKey}/${number}`, signal };
      yield await this.batch(commands, ofBatch);
    }
  }

  /**
   * Makes the embeddings that records lack, oldest first: of records that were written before there
   * was `embed`, by others, or while it failed. With `scopes`, those of 1 to 16 scopes; with `space`,
   * those that lack one in that space. Returns how many it attached.
   * @throws {AgentkeepError} `invalid_request` without `embed`; what `embed` throws is thrown on.
   */
  async embedMissing(
    options: ScopesOptions & { readonly space?: string | undefined } = {},
  ): Promise<number> {
    const call = 'memory.embedMissing()';
    refuseUnknownOptions(call, options, ['scopes', 'space', 'signal']);
    const scopes = options.scopes ?? [this.given ?? (await this.parts.home.scope(call))];
    const embeddings = requireEmbed(this.parts.embeddings);
    const { space = embeddings.space, signal } = options;
    const search = { scopes, space, order: 'oldest', limit: 32, signal } as const;
    const pages = pagesFrom(null, (position) =>
      this.searchPage({ embedded: false }, { ...search, ...position }),
    );
    return embeddings.embedPages(this.parts.call, pages, space);
  }

  /**
   * Waits until the records that were written so far have their embeddings, or were given up, and
   * returns what became of those of the whole keep or client. At once without `embed`.
   */
  async embedded(): Promise<EmbeddingReport> {
    const none = { attached: 0, outdated: 0, skipped: 0, missed: 0, lastError: undefined };
    return (await this.parts.embeddings?.settled()) ?? none;
  }

  #commandOptions(call: string, options: CommandOptions) {
    refuseUnknownOptions(call, options, ['idempotencyKey', 'signal']);
    const { idempotencyKey = this.parts.newKey(), signal } = options;
    return { idempotencyKey, signal };
  }

  async #execute(call: string, operation: Change, options: CommandOptions): Promise<Receipt> {
    const { idempotencyKey, signal } = this.#commandOptions(call, options);
    const scope = this.given ?? (await this.parts.home.scope(call));
    const document = {
      contract_version: CONTRACT_VERSION,
      idempotency_key: idempotencyKey,
      scope,
      operation,
    };
    const { receipt } = await this.parts.call('executeMemoryCommand', { document }, { signal });
    if (receipt.proposal === undefined) this.#follow([receipt], [{ scope, operation }]);
    return receipt;
  }

  /** Has the records embedded that were written without an embedding of their own. */
  #follow(made: readonly RecordRevision[], commands: readonly BatchCommand[]): void {
    const { call, embeddings } = this.parts;
    if (embeddings === undefined) return;
    const records = commands.flatMap(({ scope, operation }, index) => {
      const revised = made[index];
      if (revised === undefined || !('record' in operation)) return [];
      const { record_id: recordId, revision } = revised;
      const { content } = operation.record;
      const text = embeddedText(content);
      const isOwn = (content.embedding ?? []).length > 0;
      return isOwn || text === '' ? [] : [{ scope, recordId, revision, text }];
    });
    if (records.length > 0) embeddings.add(call, records);
  }
}

type RecordRevision = Pick<Receipt, 'record_id' | 'revision'>;
