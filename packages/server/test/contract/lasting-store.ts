/**
 * A store that outlives the keeps that are opened over it, for tests of restarts.
 * @module
 */
import { inMemoryStore, type Store } from '@agentkeep/core';

/** A store in memory that closing a keep leaves open. */
export function lasting(): Store {
  const store = inMemoryStore();
  return {
    read: (body) => store.read(body),
    transact: (body) => store.transact(body),
    backup: (directory) => store.backup(directory),
    stats: () => store.stats(),
    scan: (visit) => store.scan(visit),
    close: () => Promise.resolve(),
  };
}
