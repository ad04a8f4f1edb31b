/** The memory tool of Claude, kept in Agentkeep. */
export { AgentkeepMemory, type AgentkeepMemoryOptions } from './agentkeep-memory.js';
