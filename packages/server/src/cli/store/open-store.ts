/** Opens the configured store: a directory, or a database through its optional package. */
import { type Keep, type KeepPorts, openKeep, type Store } from '@agentkeep/core';
import type { AgentkeepError } from '@agentkeep/core';
import type { ServiceOptions } from '../../options/read-options.js';
import { CommandError } from '../command/command-error.js';

/** The settings of a keep apart from its store. */
export type KeepSettings = Pick<
  KeepPorts,
  | 'audit'
  | 'tokens'
  | 'sessions'
  | 'snapshots'
  | 'raiseLevel'
  | 'webhookSender'
  | 'documentFetcher'
  | 'signInProtocol'
  | 'textEmbedder'
> & {
  /** Called once, when the store of a directory becomes unusable until the next start. */
  readonly onFatal?: (error: AgentkeepError) => void;
};

const PACKAGE = '@agentkeep/postgres';

/** Opens the configured keep. Closes the database again if that fails. */
export async function openConfigured(
  options: ServiceOptions,
  { onFatal, ...settings }: KeepSettings,
): Promise<Keep> {
  const { dataDir, storeUrl, durability, mapSizeBytes, queryCacheBytes, encryption } = options;
  const { replicateTo } = options;
  const ports = {
    ...settings,
    changes: { retentionDays: options.changesRetentionDays },
    ...(encryption === undefined ? {} : { encryption }),
  };
  if (storeUrl === undefined) {
    return openKeep({
      ...ports,
      dataDir,
      durability,
      queryCacheBytes,
      ...(replicateTo === undefined ? {} : { replicateTo }),
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
 * Opens a PostgreSQL store with its optional package.
 * @throws {CommandError} when the package is not installed or the URL is invalid.
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

/** Runs `use` with a PostgreSQL store, then closes the store. */
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
      `A PostgreSQL store needs the package ${PACKAGE}. Install it beside @agentkeep/server: ` +
        `npm install ${PACKAGE}`,
      { cause },
    );
  }
}
