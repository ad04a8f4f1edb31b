/** Proposals of memory, and their review (docs/contract/review.md). */
import type { ScopeInput } from '../../kernel/access/scope.js';
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type {
  MemoryProposal,
  ProposalState,
} from '../../domains/memory/documents/proposal-schema.js';
import type { MemoryChangeInput, Receipt } from '../../domains/memory/documents/schema.js';
import {
  type CallOperation,
  type CallOptions,
  type NewKey,
  type OutputOf,
  stated,
} from '../call.js';
import { directoryParameters, everyItem } from '../lists/page-walk.js';

/** Why something is proposed, and until when it waits. */
export interface ProposalOptions extends CallOptions {
  /** For who reviews it. */
  readonly purpose?: string | undefined;
  /** Seconds that it waits, up to 7,776,000; default 604,800, which is a week. */
  readonly expiresInSeconds?: number | undefined;
  /** Names the intent; a repeat with it finds the proposal. */
  readonly idempotencyKey?: string | undefined;
}

/** Which proposals are listed. */
export interface ProposalPageOptions extends CallOptions {
  /** Default: those that wait. */
  readonly state?: ProposalState | undefined;
  /** Only the proposal with this id, whatever its state. */
  readonly id?: string | undefined;
  /** Only those over this scope. */
  readonly scope?: ScopeInput | undefined;
  /** Most proposals of one page, 1 to 100; default 25. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/**
 * Proposes changes, and reviews those of others. To see what a proposal changes and to merge it,
 * use its id with `branches.diff()` and `branches.merge()`. Errors are those of the operations, as
 * `AgentkeepError`.
 */
export class ProposalClient {
  readonly #call: CallOperation;
  readonly #newKey: NewKey;

  constructor(call: CallOperation, newKey: NewKey) {
    this.#call = call;
    this.#newKey = newKey;
  }

  /**
   * Proposes a change of a shared scope. The receipt has the proposal, and the id that the record
   * keeps when it is merged.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
   * const of = { tenantId: 'acme', scopes: [scope] };
   * const helper = await agentFor(keep, {
   *   ...of,
   *   subjectId: 'helper',
   *   capabilities: ['memory_propose'],
   * });
   * const rita = await agentFor(keep, {
   *   ...of,
   *   subjectId: 'rita',
   *   capabilities: ['memory_read', 'memory_review'],
   * });
   *
   * const record = { content: { primary: 'Refunds below 20 EUR need no approval.' } };
   * await helper.proposals.propose(scope, { type: 'create', record }, { purpose: 'Ann said so.' });
   * for await (const { id } of rita.proposals.list()) {
   *   const { digest, page } = await rita.branches.diffPage(id);
   *   console.log(page.items[0]?.branch?.payload.content.primary);
   *   await rita.branches.merge(id, { digest });
   * }
   * ```
   */
  async propose(
    scope: ScopeInput,
    operation: MemoryChangeInput,
    options: ProposalOptions = {},
  ): Promise<Receipt> {
    const call = 'proposals.propose()';
    requireArguments(call, { scope, operation });
    const names = ['purpose', 'expiresInSeconds', 'idempotencyKey', 'signal'] as const;
    refuseUnknownOptions(call, options, names);
    const { purpose, expiresInSeconds, idempotencyKey = this.#newKey(), signal } = options;
    const document = {
      contract_version: CONTRACT_VERSION,
      idempotency_key: idempotencyKey,
      scope,
      operation,
      ...stated({ purpose, expires_in_seconds: expiresInSeconds }),
    };
    return (await this.#call('proposeMemory', { document }, { signal })).receipt;
  }

  /** Submits a branch that the caller made. From then on it takes no commands, and waits. */
  async submit(
    branchId: string,
    options: Pick<ProposalOptions, 'purpose' | 'signal'> = {},
  ): Promise<MemoryProposal> {
    const call = 'proposals.submit()';
    requireArguments(call, { branchId });
    refuseUnknownOptions(call, options, ['purpose', 'signal']);
    const { purpose, signal } = options;
    const document = {
      contract_version: CONTRACT_VERSION,
      ...stated({ purpose }),
    };
    const parts = { id: branchId, document };
    return (await this.#call('proposeMemoryBranch', parts, { signal })).proposal;
  }

  /** Returns one page of the proposals that the caller may read. */
  async listPage(
    options: ProposalPageOptions = {},
  ): Promise<OutputOf<'listMemoryProposals'>['page']> {
    const names = ['state', 'id', 'scope', 'limit', 'cursor', 'signal'] as const;
    refuseUnknownOptions('proposals.listPage()', options, names);
    const { state, id, scope, signal, ...place } = options;
    const { mission_id, ...named } = scope ?? {};
    const parameters = {
      ...directoryParameters(place),
      ...named,
      ...(typeof mission_id === 'string' ? { mission_id } : {}),
      ...stated({ state, proposal_id: id }),
    };
    return (await this.#call('listMemoryProposals', { parameters }, { signal })).page;
  }

  /** Yields the proposals that the caller may read, the oldest first. */
  async *list(
    options: Omit<ProposalPageOptions, 'cursor' | 'id'> = {},
  ): AsyncGenerator<MemoryProposal, void> {
    refuseUnknownOptions('proposals.list()', options, ['state', 'scope', 'limit', 'signal']);
    yield* everyItem((position) => this.listPage({ ...options, ...position }));
  }

  /** Rejects a proposal of another subject, with a reason. What it changed is removed. */
  async reject(id: string, reason: string, options?: CallOptions): Promise<MemoryProposal> {
    requireArguments('proposals.reject()', { id, reason });
    const document = { contract_version: CONTRACT_VERSION, reason };
    return (await this.#call('rejectMemoryProposal', { id, document }, options)).proposal;
  }

  /**
   * Withdraws all proposals of a subject that wait, and those that it made as a service for others;
   * returns how many. For administrators.
   */
  async withdrawAll(subjectId: string, options?: CallOptions): Promise<number> {
    requireArguments('proposals.withdrawAll()', { subjectId });
    const document = { contract_version: CONTRACT_VERSION, subject_id: subjectId };
    return (await this.#call('withdrawMemoryProposals', { document }, options)).withdrawn;
  }
}
