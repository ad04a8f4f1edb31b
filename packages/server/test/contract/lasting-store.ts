/**
 * A store that outlives the keeps that are opened over it, for tests of restarts.
 * @module
 */
import { type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';

/** A store in memory that closing a keep leaves open. */
export function lasting(): Store {
  const store = testStore();
  return storeOver(store, {
    close: () => Promise.resolve(),
  });
}
