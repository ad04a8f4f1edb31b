/** A LangGraph store and checkpointer that keep everything in Agentkeep. */
export type { Agent, ScopeInput } from '@agentkeep/client';
export {
  AgentkeepCheckpointer,
  type AgentkeepCheckpointerOptions,
} from './checkpointer/checkpointer.js';
export type { QueryOptions } from './store/item-search.js';
export { AgentkeepStore, type AgentkeepStoreOptions } from './store/store.js';
export { TooLargeError } from './store/too-large-error.js';
