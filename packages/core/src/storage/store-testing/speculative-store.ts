/**
 * A store that runs bodies before their time, as one over a remote engine may: against a state that
 * is empty, one that is out of date, and one of which only some is there yet. What those runs give
 * is thrown away, so a body that did more than write shows it.
 * @module
 */
import { keyBytes } from '../store/bytes.js';
import { Overlay } from '../store/overlay.js';
import type { ReadTx, Store, WriteTx } from '../store/store.js';
import { runWriteBody } from '../store/transaction-view.js';
import { storeOver } from './store-over.js';

/** Bodies are broken off at their first read, their second, and so on up to this one. */
const BREAKS = 16;

type Before = ReadonlyMap<string, Uint8Array | undefined>;

const NOTHING: ReadTx = { get: () => undefined, range: () => [] };

/**
 * A store whose bodies run in vain before they run in earnest. For tests.
 * @example
 * ```ts
 * import { inMemoryStore } from '@agentkeep/core';
 * import { speculative } from '@agentkeep/core/testing';
 *
 * const store = speculative(inMemoryStore());
 * let runs = 0;
 * await store.read(() => (runs += 1));
 * if (runs < 2) throw new Error('unexpected');
 * await store.close();
 * ```
 */
export function speculative(store: Store): Store {
  let before: Before = new Map();
  let bodies = 0;
  const rehearse = (tx: ReadTx, body: (tx: WriteTx) => unknown): void => {
    bodies += 1;
    tryOn(NOTHING, body);
    tryOn(asBefore(tx, before), body);
    tryOn(brokenOff(tx, bodies % BREAKS), body);
  };
  return storeOver(store, {
    read: (body) =>
      store.read((tx) => {
        rehearse(tx, body);
        return body(tx);
      }),
    transact: (body) =>
      store.transact((tx) => {
        rehearse(tx, body);
        const overlay = new Overlay(tx);
        const result = runWriteBody(overlay, body);
        before = applied(overlay, tx);
        return result;
      }),
  });
}

/** Runs a body for nothing: neither its result nor its failure is anybody's. */
function tryOn(state: ReadTx, body: (tx: WriteTx) => unknown): void {
  try {
    runWriteBody(new Overlay(state), body);
  } catch {
    // As it is meant.
  }
}

/** The state without the last transaction. */
function asBefore(tx: ReadTx, before: Before): ReadTx {
  const overlay = new Overlay(tx);
  for (const [text, value] of before) {
    if (value === undefined) overlay.remove(keyBytes(text));
    else overlay.put(keyBytes(text), value);
  }
  return overlay;
}

/** The state as far as so many reads. */
function brokenOff(tx: ReadTx, reads: number): ReadTx {
  let left = reads;
  const count = (): void => {
    left -= 1;
    if (left < 0) throw new Error('The rest is not there yet.');
  };
  return {
    get: (key) => {
      count();
      return tx.get(key);
    },
    range: (range) => {
      count();
      return tx.range(range);
    },
  };
}

/** Writes what an overlay holds; returns what was there before. */
function applied(overlay: Overlay, tx: WriteTx): Before {
  const before = new Map<string, Uint8Array | undefined>();
  const note = (text: string): Uint8Array => {
    const key = keyBytes(text);
    const value = tx.get(key);
    before.set(text, value && Uint8Array.from(value));
    return key;
  };
  overlay.applyTo({
    put: (text, value) => {
      tx.put(note(text), value);
    },
    remove: (text) => {
      tx.remove(note(text));
    },
  });
  return before;
}
