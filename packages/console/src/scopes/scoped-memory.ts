/** The type of the memory of a scope, which the client does not name. */
import type { Agent } from '@agentkeep/client';

/** The memory of a scope. */
export type ScopedMemory = ReturnType<Agent['memory']['in']>;
