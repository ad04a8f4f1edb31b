/** Opens LMDB environments: the only module that loads the `lmdb` package. */
import type { RootDatabase } from 'lmdb';
import { LazyPackage } from '../../contract/errors/lazy-package.js';
import { FILE_MODE } from './private-files.js';

/** Initial address space of a store, in bytes. LMDB grows it when needed. */
export const MAP_SIZE_BYTES = 2 ** 30;

const lmdb = new LazyPackage('lmdb', () => import('lmdb'));

/** Begins to load the engine, so that it loads while files are prepared. */
export function preloadEngine(): void {
  // The function that opens an environment reports a failure.
  lmdb.get().catch(() => undefined);
}

/** How to open an environment. */
export interface EnvironmentOptions {
  readonly directory: string;
  readonly mapSizeBytes: number;
  /** Whether commits wait for the disk. */
  readonly isSynced: boolean;
}

/** Opens the environment of a directory, and makes its data file if there is none. */
export async function openRoot({
  directory,
  mapSizeBytes,
  isSynced,
  isReadOnly = false,
}: EnvironmentOptions & { readonly isReadOnly?: boolean }): Promise<RootDatabase> {
  const { open } = await lmdb.get();
  const settings = {
    path: directory,
    noSubdir: false,
    mapSize: mapSizeBytes,
    overlappingSync: false,
    // With this option, the `lmdb` package creates a promise of its own and leaves its rejection
    // unhandled.
    eventTurnBatching: false,
    noSync: !isSynced,
    readOnly: isReadOnly,
    permissionsMode: FILE_MODE,
  };
  return open(settings);
}
