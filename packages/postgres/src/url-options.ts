/**
 * Options of a store as parameters of its url, for those who can give a url and nothing else.
 * @module
 */
import type { PostgresStoreOptions } from './options.js';

type OptionName = Exclude<keyof PostgresStoreOptions, 'url'>;
type Reader = (text: string, name: string) => string | number | boolean;

/** How the text of a parameter is read. What is no number here is out of every range. */
const READERS: Readonly<Record<OptionName, Reader>> = {
  table: asText,
  maxConnections: asNumber,
  locks: asText,
  prepare: asFact,
  pooler: asFact,
  connectTimeoutMs: asNumber,
  lockTimeoutMs: asNumber,
  statementTimeoutMs: asNumber,
  cacheBytes: asNumber,
};

/**
 * Parts a url into options of the store and the url of the database, which keeps every parameter
 * that is none of them for the driver.
 * @throws {TypeError} A parameter is neither true nor false where it has to be.
 */
export function optionsInUrl(url: string): PostgresStoreOptions {
  if (!URL.canParse(url)) return { url };
  const parsed = new URL(url);
  const named = Object.entries(READERS).filter(([name]) => parsed.searchParams.has(name));
  // What was written is left as it was where it can be.
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

function asFact(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new TypeError(`The option ${name} of a store on PostgreSQL is true or false.`);
}
