/** Runs bodies on guarded views of a state. A view ends with its body. */
import { assertKey, assertRange, assertValue } from './bytes.js';
import type { Overlay } from './overlay.js';
import { POSITION_BYTES } from './position.js';
import { settledResult } from './settled.js';
import {
  type Entry,
  KEY_BYTES_MAX,
  type KeyRange,
  type ReadTx,
  type SnapshotTx,
  type WriteTx,
} from './store.js';

/**
 * Runs a body over a state that it may only read.
 *
 * @throws {TypeError} The body returned a promise.
 */
export function runReadBody<T>(state: SnapshotTx, body: (tx: SnapshotTx) => T): T {
  const view = new SnapshotView(state);
  try {
    return settledResult(body(view));
  } finally {
    view.end();
  }
}

/**
 * Runs a body over an overlay, which then holds its writes; the caller applies or drops it.
 *
 * @throws {TypeError} The body returned a promise.
 */
export function runWriteBody<T>(overlay: Overlay, body: (tx: WriteTx) => T): T {
  const view = new WriteView(overlay);
  try {
    return settledResult(body(view));
  } finally {
    view.end();
  }
}

/** Guards reads: usable only while the body runs, and not while a range is open. */
class ReadView implements ReadTx {
  readonly #state: ReadTx;
  #openRange: Iterator<Entry> | undefined;
  #hasEnded = false;

  constructor(state: ReadTx) {
    this.#state = state;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.assertIdle();
    assertKey(key);
    return this.#state.get(key);
  }

  range(range: KeyRange): Iterable<Entry> {
    this.assertIdle();
    assertRange(range);
    return { [Symbol.iterator]: () => this.#iterate(range) };
  }

  /** Ends the view, closing a range that the body left open. */
  end(): void {
    this.#hasEnded = true;
    this.#openRange?.return?.();
    this.#openRange = undefined;
  }

  protected assertIdle(): void {
    if (this.#hasEnded) throw new Error('This transaction has ended. Use it only inside its body.');
    if (this.#openRange !== undefined) {
      throw new Error('A range of this transaction is open. Finish it before the next call.');
    }
  }

  #iterate(range: KeyRange): Iterator<Entry> {
    this.assertIdle();
    const steps = this.#state.range(range)[Symbol.iterator]();
    this.#openRange = steps;
    return {
      next: () => {
        if (this.#openRange !== steps) return { done: true, value: undefined };
        const step = steps.next();
        if (step.done === true) this.#openRange = undefined;
        return step;
      },
      return: () => {
        if (this.#openRange === steps) {
          this.#openRange = undefined;
          steps.return?.();
        }
        return { done: true, value: undefined };
      },
    };
  }
}

/** Guards reads of committed state. */
class SnapshotView extends ReadView implements SnapshotTx {
  readonly #snapshot: SnapshotTx;

  constructor(state: SnapshotTx) {
    super(state);
    this.#snapshot = state;
  }

  horizon(): Uint8Array {
    this.assertIdle();
    return this.#snapshot.horizon();
  }
}

/** Guards writes as well. */
class WriteView extends ReadView implements WriteTx {
  readonly notes: object[] = [];
  readonly #overlay: Overlay;

  constructor(overlay: Overlay) {
    super(overlay);
    this.#overlay = overlay;
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.assertIdle();
    assertKey(key);
    assertValue(value);
    this.#overlay.put(key, value);
  }

  remove(key: Uint8Array): void {
    this.assertIdle();
    assertKey(key);
    this.#overlay.remove(key);
  }

  append(prefix: Uint8Array, value: Uint8Array): void {
    this.assertIdle();
    assertKey(prefix);
    if (prefix.length > KEY_BYTES_MAX - POSITION_BYTES) {
      throw new RangeError('A prefix leaves no room for the position.');
    }
    assertValue(value);
    this.#overlay.append(prefix, value);
  }
}
