/** A LangGraph store and checkpointer that keep everything in Agentkeep. */
export type { Agent, ScopeInput } from '@agentkeep/client';
export {
  AgentkeepCheckpointer,
  type AgentkeepCheckpointerOptions,
  type PruneOptions,
} from './checkpointer/checkpointer.js';
export type { ItemLifetime, PutOptions } from './store/item-lifetime.js';
export type { ItemPut } from './store/item-record.js';
export type { ItemSearchOperation, QueryOptions, QueryOrder } from './store/item-search.js';
export { AgentkeepStore, type AgentkeepStoreOptions } from './store/store.js';
export { TooLargeError } from './store/too-large-error.js';
export type { LargeBatches } from './store/write-batches.js';
