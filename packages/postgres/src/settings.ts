/**
 * What a store on PostgreSQL is opened with, and what that comes to.
 * @module
 */
import { optionsInUrl } from './url-options.js';

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

/** The options with their defaults. */
export type Settings = Required<PostgresStoreOptions>;

const TABLE = /^[a-z_][a-z0-9_]{0,39}$/;
const CONNECTIONS_MIN = 3;
const CONNECTIONS_MAX = 1_000;
const TIMEOUT_MS_MAX = 600_000;
const CACHE_BYTES_MAX = 68_719_476_736;

/**
 * Checks the options and fills in the defaults.
 * @throws {TypeError} An option is out of range.
 */
export function settingsOf(options: PostgresStoreOptions): Settings {
  const { url, ...inUrl } = optionsInUrl(options.url);
  const given = { ...inUrl, ...options, url };
  const settings: Settings = {
    table: 'agentkeep',
    maxConnections: 10,
    locks: 'advisory',
    prepare: given.pooler !== true,
    pooler: false,
    connectTimeoutMs: 5_000,
    lockTimeoutMs: 10_000,
    statementTimeoutMs: 30_000,
    cacheBytes: 67_108_864,
    ...given,
  };
  refuseUnless(isPostgresUrl(settings.url), 'url', 'a URL that starts with postgres://');
  refuseUnless(TABLE.test(settings.table), 'table', 'a lower-case identifier of 1 to 40 bytes');
  refuseUnless(['advisory', 'rows'].includes(settings.locks), 'locks', 'advisory or rows');
  refuseOutside(settings, 'maxConnections', CONNECTIONS_MIN, CONNECTIONS_MAX);
  refuseOutside(settings, 'connectTimeoutMs', 1, TIMEOUT_MS_MAX);
  refuseOutside(settings, 'lockTimeoutMs', 1, TIMEOUT_MS_MAX);
  refuseOutside(settings, 'statementTimeoutMs', 1, TIMEOUT_MS_MAX);
  refuseOutside(settings, 'cacheBytes', 0, CACHE_BYTES_MAX);
  return settings;
}

function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url);
}

function refuseOutside(
  settings: Settings,
  name:
    'maxConnections' | 'connectTimeoutMs' | 'lockTimeoutMs' | 'statementTimeoutMs' | 'cacheBytes',
  min: number,
  max: number,
): void {
  const value = settings[name];
  const isInside = Number.isSafeInteger(value) && value >= min && value <= max;
  refuseUnless(isInside, name, `an integer from ${String(min)} to ${String(max)}`);
}

/** The value is not named, because a url holds a password. */
function refuseUnless(isFine: boolean, name: string, allowed: string): void {
  if (!isFine) throw new TypeError(`The option ${name} of a store on PostgreSQL is ${allowed}.`);
}
