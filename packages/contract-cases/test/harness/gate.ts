/** A store that lets a test act between the checks of a call and its commit, to force a race. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Store, type WriteTx } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { drivers } from './drivers.js';
import { type Fixture, tenant } from './fixture.js';

type Action = () => Promise<unknown>;

/**
 * Runs an action once, before the next transaction of the test begins. Work that was running when
 * the action was set, such as recording the use of a key, is not affected.
 */
export class Gate implements Disposable {
  readonly #scope = new AsyncLocalStorage<Action>();
  #action: Action | undefined;

  /** Sets the action, for calls that the test makes from now on. */
  set before(action: Action) {
    this.#action = action;
    this.#scope.enterWith(action);
  }

  /** Returns the action if it is due before a transaction that begins now. */
  take(): Action | undefined {
    const action = this.#action;
    if (this.#scope.getStore() !== action) return undefined;
    this.#action = undefined;
    return action;
  }

  /** Ends the scope, since each one that is left makes all promises of the process slower. */
  [Symbol.dispose](): void {
    this.#scope.disable();
  }
}

/** Declares a test with a gate that runs on both transports. */
export function race(title: string, run: (t: Fixture, gate: Gate) => Promise<void>): void {
  for (const driver of drivers) {
    test(`${title} (${driver.name})`, async () => {
      using gate = new Gate();
      await using t = await tenant(driver, gated(gate));
      await run(t, gate);
    });
  }
}

/** Returns an in-memory store behind a gate. */
export function gated(gate: Gate): Store {
  const store = testStore();
  return storeOver(store, {
    transact: async <T>(body: (tx: WriteTx) => T): Promise<T> => {
      await gate.take()?.();
      return store.transact(body);
    },
  });
}
