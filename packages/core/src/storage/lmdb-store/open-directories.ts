/**
 * The directories that this process has open. A second opening by the same process would release
 * the locks with which LMDB excludes other processes, so it is refused before LMDB is called.
 */
import { stat } from 'node:fs/promises';
import { storeError } from '../store/store-error.js';

/** Shared by all copies of this package in the process. */
const REGISTRY = Symbol.for('@agentkeep/core/open-store-directories');

/**
 * Marks a directory as open, regardless of the path by which it is named. Returns a function that
 * removes the mark.
 *
 * @throws {AgentkeepError} `store_in_use`
 */
export async function holdDirectory(directory: string): Promise<() => void> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const identity = `${dev}:${ino}`;
  const held = registry();
  if (held.has(identity))
    throw storeError('store_in_use', `${directory} is already open in this process.`);
  held.add(identity);
  return () => held.delete(identity);
}

function registry(): Set<string> {
  const shared = globalThis as unknown as Record<symbol, Set<string> | undefined>;
  return (shared[REGISTRY] ??= new Set());
}
