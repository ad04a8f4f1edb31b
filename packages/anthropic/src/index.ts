/** The memory tool of Claude, kept in Agentkeep. */
export type { Agent } from '@agentkeep/client';
