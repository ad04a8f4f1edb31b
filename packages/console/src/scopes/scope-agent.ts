/** The agent that reads a scope: for a private one of another subject, one that acts for it. */
import type { Agent } from '@agentkeep/client';
import type { ScopedMemory } from './scoped-memory.js';
import type { ShownScope } from './scope-query.js';

/** Returns the agent for a scope. The server refuses who may not act for its subject. */
export function agentOf(
  agent: Agent,
  { scope, subjectId }: ShownScope,
  ownSubject: string | undefined,
): Agent {
  const isOthers = scope.visibility === 'private' && subjectId !== undefined;
  return isOthers && subjectId !== ownSubject ? agent.for(subjectId) : agent;
}

/** Returns the memory of a scope. */
export function memoryOf(
  agent: Agent,
  shown: ShownScope,
  ownSubject: string | undefined,
): ScopedMemory {
  return agentOf(agent, shown, ownSubject).memory.in(shown.scope);
}
