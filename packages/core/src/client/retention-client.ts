/** How long the memory of a tenant is kept, for its administrators. */
import type { ScopeInput } from '../kernel/access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type {
  RetentionInput,
  RetentionResponse,
} from '../domains/memory/retention/retention-schema.js';
import { type CallOperation, type CallOptions, stated } from './call.js';
import { parametersOf } from './memory-documents.js';

/** A setting, and what holds with it. */
export type MemoryRetention = Omit<RetentionResponse, 'contract_version'>;

/** Which setting to change. */
export interface RetentionTarget {
  /** Default: the setting of the whole tenant. */
  readonly scope?: ScopeInput | undefined;
  /** The revision of the setting; 0 where nothing was set. */
  readonly expectedRevision: number;
  /** Whether commands in shared scopes wait for review. Left out, this stays as it is. */
  readonly review?: 'required' | 'none' | undefined;
}

/** Retention of memory. Errors are those of the operations, as `AgentkeepError`. */
export class RetentionClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Shows what is set for the whole tenant, and what holds with it. */
  get(options: CallOptions = {}): Promise<MemoryRetention> {
    return this.#show({}, options);
  }

  /** Shows what is set for a scope, and what holds with it. */
  getOf(scope: ScopeInput, options?: CallOptions): Promise<MemoryRetention> {
    requireArguments('retention.getOf()', { scope });
    return this.#show(parametersOf(scope), options);
  }

  /**
   * Replaces a setting. A scope can only narrow what the tenant keeps.
   * @throws {AgentkeepError} `revision_conflict` when the setting isn't at the expected revision.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { bootstrapTenant } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
   * const admin = await keep.authenticate(secret);
   * const { effective } = await admin.retention.set(
   *   { expectedRevision: 0 },
   *   { revision_days: 90, deleted_days: 7 },
   * );
   * console.log(effective.deleted_days); // 7
   * ```
   */
  async set(
    target: RetentionTarget,
    retention: RetentionInput,
    options?: CallOptions,
  ): Promise<MemoryRetention> {
    requireArguments('retention.set()', { target, retention });
    const { scope, expectedRevision, review } = target;
    requireArguments('retention.set()', { 'target.expectedRevision': expectedRevision });
    const document = {
      contract_version: CONTRACT_VERSION,
      scope: scope ?? null,
      expected_revision: expectedRevision,
      retention,
      ...stated({ review }),
    };
    return withoutVersion(await this.#call('setMemoryRetention', { document }, options));
  }

  async #show(
    scope: Partial<ReturnType<typeof parametersOf>>,
    options: CallOptions | undefined,
  ): Promise<MemoryRetention> {
    const parameters = { contract_version: CONTRACT_VERSION, ...scope };
    return withoutVersion(await this.#call('getMemoryRetention', { parameters }, options));
  }
}

function withoutVersion(answer: RetentionResponse): MemoryRetention {
  const { scope, revision, retention, effective, review, effective_review } = answer;
  return { scope, revision, retention, effective, review, effective_review };
}
