/** Scoped memory as an agent uses it. */
import type { ScopeInput } from '../access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { MemoryCalls } from './memory-calls.js';
import { ScopedMemory } from './scoped-memory.js';

/** The memory of one agent. Errors are those of the operations, as `AgentkeepError`. */
export class MemoryClient extends MemoryCalls {
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
