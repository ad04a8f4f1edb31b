/**
 * The store of Agentkeep on PostgreSQL, for several servers at once.
 * @module
 */
export { postgresStore } from './postgres-store.js';
export type { PostgresStoreOptions } from './options.js';
