/**
 * A store that runs each body extra times, as a store over a remote engine may: on an empty state,
 * on an outdated one, and on one that is only partly loaded. It discards the results of those runs,
 * so tests detect a body with effects other than its writes, and a body that writes after too many
 * reads, each of which it chose by what it read before. It supposes on the values that it saw.
 */
import { keyBytes, keyText } from '../store/bytes.js';
import { Overlay, runWriteBody } from '../store/overlay.js';
import { FIRST_POSITION } from '../store/position.js';
import type { ReadTx, SnapshotTx, Store, WriteTx } from '../store/store.js';
import { LoadedInTurns } from './loaded-in-turns.js';
import { storeOver } from './store-over.js';

/** Bodies are interrupted at their first read, their second, and so on up to this one. */
const INTERRUPTED_RUNS = 16;

type Before = ReadonlyMap<string, Uint8Array | undefined>;

/** How often a body that writes may need more. Each time is a round trip, for which others wait. */
const TURNS_MAX = 16;

const NOTHING: ReadTx = { get: () => undefined, range: () => [] };

/**
 * Wraps a store so that each body runs several times before the run that counts. For tests.
 *
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
export function speculative(unwrapped: Store): Store {
  const store = remembering(unwrapped);
  let before: Before = new Map();
  let bodies = 0;
  const rehearse = (tx: ReadTx, body: (tx: WriteTx) => unknown): void => {
    bodies += 1;
    discardRun(previousState(tx, before), body);
    discardRun(interrupted(tx, bodies % INTERRUPTED_RUNS), body);
  };
  return storeOver(store, {
    suppose: (body) => store.suppose?.(body),
    read: (body) =>
      store.read((tx) => {
        const rehearsed = (state: ReadTx) => body(withHorizon(state, FIRST_POSITION));
        discardRun(NOTHING, rehearsed);
        rehearse(tx, rehearsed);
        return body(tx);
      }),
    transact: (body) =>
      store.transact((tx) => {
        runInTurns(tx, body);
        rehearse(tx, body);
        const overlay = new Overlay(tx);
        const result = runWriteBody(overlay, body);
        before = applied(overlay, tx);
        for (const { prefix, value } of overlay.appended) tx.append(prefix, value);
        return result;
      }),
  });
}

/** Returns a state with a horizon, as a read has it. */
function withHorizon(tx: ReadTx, horizon: Uint8Array): SnapshotTx {
  return { get: (key) => tx.get(key), range: (range) => tx.range(range), horizon: () => horizon };
}

/** Runs a body and discards its result or error. */
function discardRun(state: ReadTx, body: (tx: WriteTx) => unknown): void {
  try {
    runWriteBody(new Overlay(state), body);
  } catch {
    // The run that counts reports its own errors.
  }
}

/** Runs a body until all that it reads is loaded, from nothing on. */
function runInTurns(tx: ReadTx, body: (tx: WriteTx) => unknown): void {
  const state = new LoadedInTurns(tx);
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    discardRun(state, body);
    if (!state.loadMore()) return;
  }
  throw new Error(`A body that writes needs more than ${String(TURNS_MAX)} reads in turn.`);
}

/** Returns the state without the last transaction. */
function previousState(tx: ReadTx, before: Before): ReadTx {
  const overlay = new Overlay(tx);
  for (const [text, value] of before) {
    if (value === undefined) overlay.remove(keyBytes(text));
    else overlay.put(keyBytes(text), value);
  }
  return overlay;
}

/** Returns the state, which fails after a number of reads. */
function interrupted(tx: ReadTx, reads: number): ReadTx {
  let left = reads;
  const count = (): void => {
    left -= 1;
    if (left < 0) throw new Error('The rest is not loaded yet.');
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

/** Applies an overlay. Returns the values that it replaced. */
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
