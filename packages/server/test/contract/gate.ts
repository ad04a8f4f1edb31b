/**
 * A store that lets a test act between the checks of a call and its commit, so that a race is
 * certain.
 * @module
 */
import { inMemoryStore, type Store, type WriteTx } from '@agentkeep/core';
import { test } from 'vitest';
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
  const store = inMemoryStore();
  return {
    read: (body) => store.read(body),
    transact: async <T>(body: (tx: WriteTx) => T): Promise<T> => {
      const { before } = gate;
      gate.before = undefined;
      await before?.();
      return store.transact(body);
    },
    backup: (directory) => store.backup(directory),
    stats: () => store.stats(),
    scan: (visit) => store.scan(visit),
    close: () => store.close(),
  };
}
