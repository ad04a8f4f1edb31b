/** Agents whose batches fail when a test says so, before or after their commit. */
import { type Agent, AgentkeepError, type ScopedMemory } from '@agentkeep/client';

/** When the next batch fails. */
export interface Failures {
  next?: 'before' | 'after' | undefined;
}

/** Returns an agent that fails once for each failure that is asked for. */
export function failingAgent(agent: Agent, failures: Failures): Agent {
  const scopedMemory: Agent['memory']['in'] = (scope) => withFailures(agent.memory.in(scope));
  const withFailures = (memory: ScopedMemory): ScopedMemory =>
    replaced(memory, 'batch', async (changes, options) => {
      const { next } = failures;
      failures.next = undefined;
      if (next === 'before') throw new AgentkeepError('server_unreachable');
      const receipt = await memory.batch(changes, options);
      if (next === 'after') throw new AgentkeepError('server_unreachable');
      return receipt;
    });
  return replaced(agent, 'memory', replaced(agent.memory, 'in', scopedMemory));
}

function replaced<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): T {
  return new Proxy(target, {
    get(_, key) {
      if (key === name) return value;
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
