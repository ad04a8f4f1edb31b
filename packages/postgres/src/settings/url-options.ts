/**
 * Reads options of a store from the parameters of its URL, for programs that can only set a URL.
 */
import { parsedUrl } from '@agentkeep/core/clients';
import type { PostgresStoreOptions } from './options.js';

type OptionName = Exclude<keyof PostgresStoreOptions, 'url'>;
type Reader = (text: string, name: string) => string | number | boolean;

/** Parsers by option. Text that is not a number becomes NaN, which is out of every range. */
const READERS: Readonly<Record<OptionName, Reader>> = {
  table: asText,
  maxConnections: asNumber,
  locks: asText,
  prepare: asBoolean,
  pooler: asBoolean,
  connectTimeoutMs: asNumber,
  lockTimeoutMs: asNumber,
  statementTimeoutMs: asNumber,
  cacheBytes: asNumber,
};

/**
 * Splits a URL into options of the store and the URL of the database, which keeps all other
 * parameters for the driver.
 * @throws {TypeError} A boolean parameter is neither true nor false.
 */
export function optionsInUrl(url: string): PostgresStoreOptions {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return { url };
  const named = Object.entries(READERS).filter(([name]) => parsed.searchParams.has(name));
  // Without options, the URL is returned exactly as written.
  if (named.length === 0) return { url };
  const options = named.map(([name, read]) => {
    return [name, read(parsed.searchParams.get(name) ?? '', name)] as const;
  });
  for (const [name] of named) parsed.searchParams.delete(name);
  return { ...Object.fromEntries(options), url: parsed.href };
}

function asText(text: string): string {
  return text;
}

function asNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function asBoolean(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new TypeError(`The option ${name} of a store on PostgreSQL must be true or false.`);
}
