/**
 * The directories that this process has open. LMDB keeps other processes out with locks that a
 * second opening by the same process would drop, so that one is refused before LMDB sees it.
 * @module
 */
import { stat } from 'node:fs/promises';
import { storeError } from '../store/store-error.js';

/** Shared by all copies of this package in the process. */
const REGISTRY = Symbol.for('@agentkeep/core/open-store-directories');

/**
 * Marks a directory as open, by whatever path it goes.
 * @returns How to unmark it.
 * @throws {AgentkeepError} `store_in_use`
 */
export async function holdDirectory(directory: string): Promise<() => void> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const identity = `${dev}:${ino}`;
  const held = registry();
  if (held.has(identity)) throw storeError('store_in_use', `${directory} is open in this process.`);
  held.add(identity);
  return () => held.delete(identity);
}

function registry(): Set<string> {
  const shared = globalThis as unknown as Record<symbol, Set<string> | undefined>;
  return (shared[REGISTRY] ??= new Set());
}
