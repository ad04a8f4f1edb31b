/**
 * The databases that {@link TestStoreModule} makes for tests.
 */
import type { Store } from '@agentkeep/core';

/** A database that no other test sees. */
export interface TestDatabase {
  /** Opens it again; every opening is closed by itself. */
  open(): Promise<Store>;
  /** Removes what it holds, once every opening is closed. Further calls do nothing. */
  drop(): Promise<void>;
}

/** A module that AGENTKEEP_TEST_STORE names. */
export interface TestStoreModule {
  newDatabase(): Promise<TestDatabase>;
}
