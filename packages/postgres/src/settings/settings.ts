/**
 * Checks the options of a store on PostgreSQL and fills in their defaults.
 */
import { parsedUrl } from '@agentkeep/core/clients';
import type { PostgresStoreOptions } from './options.js';
import { optionsInUrl } from './url-options.js';

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
  return /^postgres(?:ql)?:\/\//.test(url) && parsedUrl(url) !== undefined;
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

/** Names the option but not its value, because a URL contains a password. */
function refuseUnless(isFine: boolean, name: string, allowed: string): void {
  if (!isFine)
    throw new TypeError(`The option ${name} of a store on PostgreSQL must be ${allowed}.`);
}
