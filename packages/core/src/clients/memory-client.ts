/** Scoped memory as an agent uses it. */
import type { ScopeInput } from '../access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import type { Receipt } from '../memory/documents/schema.js';
import type { CallOperation, NewKey } from './call.js';
import type { Embeddings } from './embeddings.js';
import { HomeScope } from './recalling/home-scope.js';
import { MemoryCalls } from './memory-calls.js';
import type { RememberOptions } from './memory-options.js';
import { recallFrom, type RecallOptions } from './recalling/recall-from.js';
import type { Recollection } from './recalling/recollection.js';
import { ScopedMemory } from './scoped-memory.js';

/** The memory of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryClient extends MemoryCalls {
  readonly #home: HomeScope;

  /** Without `home`, the only scope of the credential is meant where none is named. */
  constructor(call: CallOperation, newKey: NewKey, embeddings?: Embeddings, home?: ScopeInput) {
    super(call, newKey, embeddings);
    this.#home = new HomeScope(call, home);
  }

  /**
   * Stores a text in the agent's own scope; see {@link ScopedMemory.remember}.
   * @throws {AgentkeepError} `invalid_request` where the agent has no scope of its own.
   */
  async remember(text: string, options?: RememberOptions): Promise<Receipt> {
    requireArguments('memory.remember()', { text });
    const scope = await this.#home.scope('memory.remember()');
    return this.in(scope).remember(text, options);
  }

  /**
   * Recalls what answers a question from the agent's own scope, or from `scopes`; see
   * {@link ScopedMemory.recall}.
   * @throws {AgentkeepError} `invalid_request` where no scope is named and it has none of its own.
   */
  async recall(
    question: string,
    { scopes, ...options }: RecallOptions & { readonly scopes?: readonly ScopeInput[] } = {},
  ): Promise<Recollection[]> {
    requireArguments('memory.recall()', { question });
    const all = scopes ?? [await this.#home.scope('memory.recall()')];
    return recallFrom(this, all, question, options);
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
}
