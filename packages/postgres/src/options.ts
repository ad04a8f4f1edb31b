/**
 * The options of a store on PostgreSQL.
 * @module
 */

/** How to open a store on PostgreSQL. */
export interface PostgresStoreOptions {
  /**
   * Where the database is: `postgres://user:password@host:port/database`, as `pg` takes it. The
   * options below can be parameters of it, as in `?pooler=true`, and give way to those beside it.
   */
  readonly url: string;
  /**
   * What the tables are called: lower-case letters, digits and underscores, at most 40. Default
   * `agentkeep`. Each table is a store of its own.
   */
  readonly table?: string;
  /** Connections that are open at most, from 3. Default 10. */
  readonly maxConnections?: number;
  /**
   * What transactions wait for one another with: the advisory locks of PostgreSQL, or rows of a
   * table, for engines that speak its protocol without having them. Default `advisory`. All servers
   * of one database choose alike.
   */
  readonly locks?: 'advisory' | 'rows';
  /**
   * Whether statements are named and so parsed once a connection. Default `true`; `false` behind a
   * pooler, as not every pooler finds a named statement again.
   */
  readonly prepare?: boolean;
  /**
   * Whether the url leads to a pooler that hands out connections by the transaction: then nothing
   * is set when a connection starts, and statements have no names. Default `false`.
   */
  readonly pooler?: boolean;
  /** How long to wait for a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long a transaction waits for a lock before it is tried again, in ms. Default 10,000. */
  readonly lockTimeoutMs?: number;
  /** How long a statement may take, in milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /** Memory for what was last seen of entries, in bytes. Default 64 MiB. */
  readonly cacheBytes?: number;
}
