/**
 * A store that lets a test act between the checks of a call and its commit, so that a race is
 * certain.
 * @module
 */
import { type Store, type WriteTx } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { drivers } from './drivers.js';
import { type Fixture, tenant } from './fixture.js';

/** Runs an action once, before the next transaction begins. */
export interface Gate {
  before: (() => Promise<unknown>) | undefined;
}

/** Declares a test with a gate, that runs through every way in. */
export function race(title: string, run: (t: Fixture, gate: Gate) => Promise<void>): void {
  for (const driver of drivers) {
    test(`${title} (${driver.name})`, async () => {
      const gate: Gate = { before: undefined };
      await using t = await tenant(driver, gated(gate));
      await run(t, gate);
    });
  }
}

/** A store in memory behind a gate. */
export function gated(gate: Gate): Store {
  const store = testStore();
  return storeOver(store, {
    transact: async <T>(body: (tx: WriteTx) => T): Promise<T> => {
      const { before } = gate;
      gate.before = undefined;
      await before?.();
      return store.transact(body);
    },
  });
}
