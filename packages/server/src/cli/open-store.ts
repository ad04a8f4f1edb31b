/**
 * Opens the store that the options name: a directory, or a database through its own package.
 * @module
 */
import { type Keep, type KeepPorts, openKeep, type Store } from '@agentkeep/core';
import type { AgentkeepError } from '@agentkeep/core';
import type { ServiceOptions } from '../options/read-options.js';
import { CommandError } from './command-error.js';

/** What a keep is opened with beside its store. */
export type KeepSettings = Pick<KeepPorts, 'audit' | 'tokens' | 'sessions'> & {
  /** Called once when the store of a directory is beyond use until the next start. */
  readonly onFatal?: (error: AgentkeepError) => void;
};

const PACKAGE = '@agentkeep/postgres';

/** Opens the keep of the options. A database is closed again when that fails. */
export async function openConfigured(
  { dataDir, storeUrl, durability, mapSizeBytes }: ServiceOptions,
  { onFatal, ...ports }: KeepSettings,
): Promise<Keep> {
  if (storeUrl === undefined) {
    return openKeep({
      ...ports,
      dataDir,
      durability,
      ...(mapSizeBytes === undefined ? {} : { mapSizeBytes }),
      ...(onFatal === undefined ? {} : { onFatal }),
    });
  }
  const store = await openDatabase(storeUrl);
  try {
    return await openKeep({ ...ports, store, dataDir });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * A store on PostgreSQL, by the package that knows it.
 * @throws {CommandError} The package is not installed, or a parameter of the URL cannot be.
 */
async function openDatabase(url: string): Promise<Store> {
  const { postgresStore } = await importPackage();
  try {
    return postgresStore({ url });
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandError(`The option store_url cannot be used. ${cause.message}`, { cause });
  }
}

/** Does something with a store on PostgreSQL, and closes it. */
export async function withDatabase<T>(url: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openDatabase(url);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function importPackage() {
  try {
    return await import('@agentkeep/postgres');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause;
    if (!isMissing || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new CommandError(
      `A store on PostgreSQL needs the package ${PACKAGE}. Install it beside @agentkeep/server: ` +
        `npm install ${PACKAGE}`,
      { cause },
    );
  }
}
