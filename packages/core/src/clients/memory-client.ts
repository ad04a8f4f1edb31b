/**
 * Scoped memory as an agent uses it.
 * @module
 */
import type { ScopeInput } from '../access/scope.js';
import type {
  EpisodeType,
  MemoryRecord,
  QueryPage,
  Receipt,
  RecordInput,
} from '../memory/schema.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, PartsOf } from './call.js';

/** Names the intent of a command, so that a retry changes nothing. */
export interface CommandOptions extends CallOptions {
  /** 1 to 256 UTF-8 bytes, unique for each intent of a subject within a scope. */
  readonly idempotencyKey: string;
}

/** Which revision of which record a command is meant for. */
export interface RecordTarget {
  readonly recordId: string;
  readonly expectedRevision: number;
}

/** What a query looks for; all given members must match. */
export interface MemoryQuery extends CallOptions {
  /** Substring of primary, secondary or context; letter case does not matter. */
  readonly textContains?: string;
  readonly episodeType?: EpisodeType;
  readonly tag?: string;
  /** 1 to 16 tags, each of which a record must carry. */
  readonly tags?: string[];
  /** Start behind this record id. */
  readonly after?: string;
  /** Most records of one page, 1 to 1,000; default 100. */
  readonly limit?: number;
  /** Most entries examined for one page, 1 to 10,000; default 10,000. */
  readonly scanLimit?: number;
}

type Change = PartsOf<'executeMemoryCommand'>['document']['operation'];

/** The memory of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Creates a record. */
  create(scope: ScopeInput, record: RecordInput, options: CommandOptions): Promise<Receipt> {
    return this.#execute(scope, { type: 'create', record }, options);
  }

  /** Replaces the payload of a record. */
  update(
    scope: ScopeInput,
    target: RecordTarget,
    record: RecordInput,
    options: CommandOptions,
  ): Promise<Receipt> {
    return this.#execute(scope, { type: 'update', ...wireTarget(target), record }, options);
  }

  /** Deletes a record for good. */
  delete(scope: ScopeInput, target: RecordTarget, options: CommandOptions): Promise<Receipt> {
    return this.#execute(scope, { type: 'delete', ...wireTarget(target) }, options);
  }

  /**
   * Reads a current record.
   * @throws {AgentkeepError} `record_not_found` when it is absent, deleted or expired.
   */
  async read(scope: ScopeInput, recordId: string, options?: CallOptions): Promise<MemoryRecord> {
    const { mission_id, ...rest } = scope;
    const mission = typeof mission_id === 'string' ? { mission_id } : {};
    const parameters = { contract_version: CONTRACT_VERSION, ...rest, ...mission };
    const { record } = await this.#call('readMemoryRecord', { id: recordId, parameters }, options);
    return record;
  }

  /** One page of a query; go on with `next_after` as `after`, also when the page is empty. */
  async queryPage(scope: ScopeInput, query: MemoryQuery = {}): Promise<QueryPage> {
    const { signal, textContains, episodeType, tag, tags, after, limit, scanLimit } = query;
    const filter = {
      ...(limit === undefined ? {} : { limit }),
      ...(scanLimit === undefined ? {} : { scan_limit: scanLimit }),
      ...(tags === undefined ? {} : { tags }),
      after: after ?? null,
      text_contains: textContains ?? null,
      episode_type: episodeType ?? null,
      tag: tag ?? null,
    };
    const document = { contract_version: CONTRACT_VERSION, scope, filter };
    const { page } = await this.#call('queryMemory', { document }, { signal });
    return page;
  }

  /** Every record that matches, in order of creation, fetched a page at a time. */
  async *query(scope: ScopeInput, query: MemoryQuery = {}): AsyncGenerator<MemoryRecord, void> {
    let next = query.after ?? null;
    do {
      const position = next === null ? {} : { after: next };
      const page = await this.queryPage(scope, { ...query, ...position });
      yield* page.records;
      next = page.next_after;
    } while (next !== null);
  }

  async #execute(
    scope: ScopeInput,
    operation: Change,
    { idempotencyKey, signal }: CommandOptions,
  ): Promise<Receipt> {
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

function wireTarget(target: RecordTarget): { record_id: string; expected_revision: number } {
  return { record_id: target.recordId, expected_revision: target.expectedRevision };
}
