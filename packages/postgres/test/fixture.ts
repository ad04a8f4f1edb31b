/**
 * Stores on the database for tests, each in tables of its own.
 * @module
 */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { postgresStore, type PostgresStoreOptions } from '../src/index.js';

/** Options that open new, empty tables. */
export function newTables(options: Partial<PostgresStoreOptions> = {}): PostgresStoreOptions {
  const table = `t_${randomBytes(6).toString('hex')}`;
  return { url: inject('postgresUrl'), table, maxConnections: 4, ...options };
}

/** A store in new, empty tables. */
export function newStore(options: Partial<PostgresStoreOptions> = {}) {
  return postgresStore(newTables(options));
}
