/**
 * A store for Agentkeep on PostgreSQL, which several servers can share.
 */
export { postgresStore } from './postgres-store.js';
export type { PostgresStoreOptions } from './settings/options.js';
