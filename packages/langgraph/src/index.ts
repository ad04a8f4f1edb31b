/** A LangGraph store and checkpointer that keep everything in Agentkeep. */
export type { Agent } from '@agentkeep/client';
export {
  AgentkeepCheckpointer,
  type AgentkeepCheckpointerOptions,
} from './checkpointer/checkpointer.js';
