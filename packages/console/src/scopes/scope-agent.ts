/** The agent that reads a scope: for a private one of another subject, one that acts for it. */
import type { Agent } from '@agentkeep/client';
import type { ScopedMemory } from './scoped-memory.js';
import type { ShownScope } from './scope-query.js';

/** Returns the memory of a scope. The server refuses who may not act for its subject. */
export function memoryOf(
  agent: Agent,
  { scope, subjectId }: ShownScope,
  ownSubject: string | undefined,
): ScopedMemory {
  const isOthers = scope.visibility === 'private' && subjectId !== undefined;
  const acting = isOthers && subjectId !== ownSubject ? agent.for(subjectId) : agent;
  return acting.memory.in(scope);
}
