/** Branches of memory (docs/contract/branches.md). */
import type { ScopeInput } from '../../kernel/access/scope.js';
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { MemoryBranch } from '../../domains/memory/branching/branch-schema.js';
import type { BranchDifference } from '../../domains/memory/branching/merge-schema.js';
import {
  type CallOperation,
  type CallOptions,
  type NewKey,
  type OutputOf,
  stated,
} from '../call.js';
import { directoryParameters, everyItem } from '../lists/page-walk.js';

/** What a branch is from, and until when. */
export interface BranchOptions extends CallOptions {
  /** A cursor of the change feed: the branch is over the state there. Default: the state now. */
  readonly asOf?: { readonly cursor: string } | undefined;
  /** Seconds until it ends, up to 7,776,000; default 604,800, which is a week. */
  readonly expiresInSeconds?: number | undefined;
  /** Why it is made. */
  readonly purpose?: string | undefined;
}

/** A page of branches. */
export interface BranchPageOptions extends CallOptions {
  /** Most branches of one page, 1 to 100; default 25. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** What to merge, and how. */
export interface MergeOptions extends CallOptions {
  /** From a page of differences: a branch that was written to since isn't merged. */
  readonly digest: string;
  /** Up to 256 records. Default: all. */
  readonly records?: readonly string[] | undefined;
  /** Only look for conflicts. */
  readonly dryRun?: boolean | undefined;
  /** Names the intent; a repeat with it merges nothing twice. */
  readonly idempotencyKey?: string | undefined;
}

/** Makes, shows and ends branches. Errors are those of the operations, as `AgentkeepError`. */
export class BranchClient {
  readonly #call: CallOperation;
  readonly #newKey: NewKey;

  constructor(call: CallOperation, newKey: NewKey) {
    this.#call = call;
    this.#newKey = newKey;
  }

  /**
   * Makes a branch over 1 to 16 scopes. Name it in a scope, as `branch`, to read and write in it.
   * @throws {AgentkeepError} `revision_conflict` where the caller has a live branch of that name.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
   * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
   *
   * await agent.memory.in(scope).remember('Ann likes tea.');
   * const branch = await agent.branches.create('trial', [scope]);
   * const trial = agent.memory.in({ ...scope, branch: branch.id });
   * await trial.remember('Ann likes coffee.');
   * console.log((await trial.count()).matches); // 2
   * console.log((await agent.memory.in(scope).count()).matches); // 1
   * ```
   */
  async create(
    name: string,
    scopes: readonly ScopeInput[],
    options: BranchOptions = {},
  ): Promise<MemoryBranch> {
    const call = 'branches.create()';
    requireArguments(call, { name, scopes });
    refuseUnknownOptions(call, options, ['asOf', 'expiresInSeconds', 'purpose', 'signal']);
    const { asOf, expiresInSeconds, purpose, signal } = options;
    const document = {
      contract_version: CONTRACT_VERSION,
      name,
      scopes: [...scopes],
      ...stated({ as_of: asOf, expires_in_seconds: expiresInSeconds, purpose }),
    };
    return (await this.#call('createMemoryBranch', { document }, { signal })).branch;
  }

  /** Shows a live branch. */
  async get(id: string, options?: CallOptions): Promise<MemoryBranch> {
    requireArguments('branches.get()', { id });
    return (await this.#call('getMemoryBranch', { id, parameters: VERSION }, options)).branch;
  }

  /** Returns one page of the live branches that the caller may read. */
  async listPage(options: BranchPageOptions = {}): Promise<OutputOf<'listMemoryBranches'>['page']> {
    refuseUnknownOptions('branches.listPage()', options, ['limit', 'cursor', 'signal']);
    const { signal, ...place } = options;
    const parameters = directoryParameters(place);
    return (await this.#call('listMemoryBranches', { parameters }, { signal })).page;
  }

  /** Yields the live branches that the caller may read, the oldest first. */
  async *list(options: Omit<BranchPageOptions, 'cursor'> = {}): AsyncGenerator<MemoryBranch, void> {
    refuseUnknownOptions('branches.list()', options, ['limit', 'signal']);
    yield* everyItem((position) => this.listPage({ ...options, ...position }));
  }

  /** Returns one page of what a branch changed, with the digest of the branch. */
  async diffPage(
    id: string,
    options: BranchPageOptions = {},
  ): Promise<OutputOf<'compareMemoryBranch'>> {
    requireArguments('branches.diffPage()', { id });
    refuseUnknownOptions('branches.diffPage()', options, ['limit', 'cursor', 'signal']);
    const { signal, ...place } = options;
    const parameters = directoryParameters(place);
    return this.#call('compareMemoryBranch', { id, parameters }, { signal });
  }

  /** Yields what a branch changed, scope by scope, in the order of record ids. */
  async *diff(
    id: string,
    options: Omit<BranchPageOptions, 'cursor'> = {},
  ): AsyncGenerator<BranchDifference, void> {
    refuseUnknownOptions('branches.diff()', options, ['limit', 'signal']);
    yield* everyItem(async (at) => (await this.diffPage(id, { ...options, ...at })).page);
  }

  /**
   * Merges what a branch changed. `state` is `merged`, or `conflicts`: then the records listed have
   * changed outside, and of up to 256 records none was merged.
   * @throws {AgentkeepError} `revision_conflict` where the branch was written to since the digest.
   */
  async merge(id: string, options: MergeOptions): Promise<OutputOf<'mergeMemoryBranch'>['merge']> {
    const call = 'branches.merge()';
    requireArguments(call, { id, options });
    const names = ['digest', 'records', 'dryRun', 'idempotencyKey', 'signal'] as const;
    refuseUnknownOptions(call, options, names);
    const { digest, records, dryRun, idempotencyKey = this.#newKey(), signal } = options;
    const document = {
      contract_version: CONTRACT_VERSION,
      idempotency_key: idempotencyKey,
      digest,
      ...stated({ records: records && [...records], dry_run: dryRun }),
    };
    for (;;) {
      const { merge } = await this.#call('mergeMemoryBranch', { id, document }, { signal });
      if (merge.state !== 'running') return merge;
    }
  }

  /** Ends a branch, with everything in it. */
  async drop(id: string, options?: CallOptions): Promise<void> {
    requireArguments('branches.drop()', { id });
    await this.#call('dropMemoryBranch', { id, parameters: VERSION }, options);
  }
}

const VERSION = { contract_version: CONTRACT_VERSION } as const;
