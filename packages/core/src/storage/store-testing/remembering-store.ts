/**
 * A store that supposes on the values that it saw last, as one over a remote engine does. Other
 * servers change them without its knowledge.
 */
import { keyText } from '../store/bytes.js';
import type { ReadTx, Store } from '../store/store.js';
import { storeOver } from './store-over.js';

type Values = Map<string, Uint8Array | undefined>;

/** Wraps a store, which then offers `suppose`. */
export function remembering(store: Store): Store {
  const known: Values = new Map();
  return storeOver(store, {
    read: (body) => store.read((tx) => body({ ...noting(tx, known), horizon: () => tx.horizon() })),
    transact: (body) =>
      store.transact((tx) =>
        body({
          ...noting(tx, known),
          notes: tx.notes,
          put: (key, value) => {
            tx.put(key, value);
          },
          remove: (key) => {
            tx.remove(key);
          },
          append: (prefix, value) => {
            tx.append(prefix, value);
          },
        }),
      ),
    suppose: (body) => {
      const seen = new Map<Uint8Array, Uint8Array | undefined>();
      const run = { isKnown: true };
      const result = body({
        get: (key) => {
          run.isKnown &&= known.has(keyText(key));
          seen.set(Uint8Array.from(key), known.get(keyText(key)));
          return known.get(keyText(key));
        },
        range: () => {
          run.isKnown = false;
          return [];
        },
      });
      if (!run.isKnown) return undefined;
      return { result, holds: (tx) => [...seen].every(([key, value]) => isSame(tx, key, value)) };
    },
  });
}

function noting(tx: ReadTx, known: Values): ReadTx {
  return {
    get: (key) => {
      const value = tx.get(key);
      const copy = value && Uint8Array.from(value);
      known.set(keyText(key), copy);
      return copy;
    },
    range: (range) => tx.range(range),
  };
}

function isSame(tx: ReadTx, key: Uint8Array, before: Uint8Array | undefined): boolean {
  const value = tx.get(key);
  if (value === undefined || before === undefined) return value === before;
  return Buffer.compare(value, before) === 0;
}
