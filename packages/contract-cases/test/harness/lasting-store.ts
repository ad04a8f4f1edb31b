/** A store that survives the keeps opened over it, for tests of restarts. */
import { type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';

/** Returns an in-memory store that stays open when a keep is closed. */
export function lasting(): Store {
  const store = testStore();
  return storeOver(store, {
    close: () => Promise.resolve(),
  });
}
