/**
 * The options of a store on PostgreSQL.
 */

/** Options of `postgresStore()`. */
export interface PostgresStoreOptions {
  /**
   * Address of the database: `postgres://user:password@host:port/database`, as `pg` accepts it. It
   * may have the options below as parameters, as in `?pooler=true`. Options next to it take
   * precedence.
   */
  readonly url: string;
  /**
   * Name of the tables: at most 40 lower-case letters, digits and underscores. Default `agentkeep`.
   * Each table is a separate store.
   */
  readonly table?: string;
  /** Most open connections, at least 3. Default 10. */
  readonly maxConnections?: number;
  /**
   * Kind of locks: the advisory locks of PostgreSQL, or rows of a table for engines that speak its
   * protocol but lack advisory locks. Default `advisory`. All servers of one database must use the
   * same kind.
   */
  readonly locks?: 'advisory' | 'rows';
  /**
   * Whether statements are named, and so parsed once per connection. Default `true`, or `false`
   * behind a pooler, because not every pooler supports named statements.
   */
  readonly prepare?: boolean;
  /**
   * Whether the URL leads to a pooler in transaction mode. Then connections start without settings,
   * and statements have no names. Default `false`.
   */
  readonly pooler?: boolean;
  /** How long to wait for a connection, in milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long a transaction waits for a lock before it is retried, in ms. Default 10,000. */
  readonly lockTimeoutMs?: number;
  /** How long a statement may take, in milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number;
  /** Memory for cached entries, in bytes. Default 64 MiB. */
  readonly cacheBytes?: number;
}
