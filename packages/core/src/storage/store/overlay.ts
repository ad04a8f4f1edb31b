/**
 * Runs the bodies of transactions: on guarded views of a state, each of which ends with its body,
 * and with their pending writes over that state, applied together or dropped.
 */
import { assertKey, assertRange, assertValue, copyBytes, keyBytes, keyText } from './bytes.js';
import { SortedTexts } from './sorted-texts.js';
import {
  type Entry,
  KEY_BYTES_MAX,
  type KeyRange,
  POSITION_BYTES,
  type ReadTx,
  type SnapshotTx,
  type WriteTx,
} from './store.js';

/** The target of an overlay. Keys are {@link keyText}, the form in which overlays hold them. */
export interface WriteTarget {
  put(keyText: string, value: Uint8Array): void;
  remove(keyText: string): void;
}

/** An entry without its position. */
export interface AppendedEntry {
  readonly prefix: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Buffers puts, removals and appended entries, and reads as if puts and removals were stored.
 * Callers check the bounds.
 */
export class Overlay implements ReadTx {
  readonly #base: ReadTx;
  readonly #copy: (value: Uint8Array) => Uint8Array;
  /** Values by key; `undefined` is a pending removal. */
  readonly #writes = new Map<string, Uint8Array | undefined>();
  /** The written keys in order, except those in {@link #unordered}. */
  readonly #ordered: SortedTexts;
  /** Keys written since the last range, so that a body without ranges never orders its keys. */
  #unordered: string[] = [];
  #appended: AppendedEntry[] = [];
  #sizeBytes = 0;

  /**
   * Creates an overlay without writes. Values are copied with `copy`. The copies must stay valid
   * until the overlay is applied or dropped. `ordered` is an empty set, given by tests that count.
   */
  constructor(
    base: ReadTx,
    copy: (value: Uint8Array) => Uint8Array = copyBytes,
    ordered: SortedTexts = new SortedTexts(),
  ) {
    this.#base = base;
    this.#copy = copy;
    this.#ordered = ordered;
  }

  /** Bytes of all keys and values written so far, including overwritten ones. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Returns the pending value of a key, or the stored one. */
  get(key: Uint8Array): Uint8Array | undefined {
    if (this.#writes.size === 0) return this.#base.get(key);
    const text = keyText(key);
    const value = this.#writes.get(text);
    return value === undefined && !this.#writes.has(text) ? this.#base.get(key) : value;
  }

  /** Returns the entries of a span as if this overlay were applied. */
  range(range: KeyRange): Iterable<Entry> {
    const hasWrites = this.#writtenIn(range).next().done !== true;
    return hasWrites ? this.#merge(range) : this.#base.range(range);
  }

  /** Buffers a put, with copies of key and value. */
  put(key: Uint8Array, value: Uint8Array): void {
    this.#sizeBytes += key.length + value.length;
    this.#note(keyText(key), this.#copy(value));
  }

  /** Buffers a removal. */
  remove(key: Uint8Array): void {
    this.#sizeBytes += key.length;
    this.#note(keyText(key), undefined);
  }

  /** Buffers an appended entry, with copies of prefix and value. Reads don't see it. */
  append(prefix: Uint8Array, value: Uint8Array): void {
    this.#sizeBytes += prefix.length + POSITION_BYTES + value.length;
    this.#appended.push({ prefix: copyBytes(prefix), value: this.#copy(value) });
  }

  /** The appended entries that have no position yet, in order. */
  get appended(): readonly AppendedEntry[] {
    return this.#appended;
  }

  /** Turns the appended entries into puts. `positionAt` returns the position of an index. */
  assignPositions(positionAt: (index: number) => Uint8Array): void {
    for (const [index, { prefix, value }] of this.#appended.entries()) {
      this.#note(keyText(prefix) + keyText(positionAt(index)), value);
    }
    this.#appended = [];
  }

  /** Applies all puts and removals to a target, in the order in which keys were first written. */
  applyTo(target: WriteTarget): void {
    for (const [text, value] of this.#writes) {
      if (value === undefined) target.remove(text);
      else target.put(text, value);
    }
  }

  /** Returns all puts and removals, in the order in which keys were first written. */
  writes(): ReadonlyMap<string, Uint8Array | undefined> {
    return this.#writes;
  }

  #note(text: string, value: Uint8Array | undefined): void {
    const count = this.#writes.size;
    this.#writes.set(text, value);
    if (this.#writes.size !== count) this.#unordered.push(text);
  }

  /** Walks the written keys of a range. */
  #writtenIn({ from, to, reverse }: KeyRange): IterableIterator<string> {
    for (const text of this.#unordered) this.#ordered.add(text);
    if (this.#unordered.length > 0) this.#unordered = [];
    return this.#ordered.within({ from: keyText(from), to: keyText(to), reverse });
  }

  /** Merges written and stored entries in key order. Written entries hide stored ones. */
  *#merge(range: KeyRange): Generator<Entry, void, undefined> {
    const { from, to, reverse = false, limit = Infinity } = range;
    if (limit === 0) return;
    // The limit applies to merged entries, so the stored side is read without it.
    const stored = this.#base.range({ from, to, reverse })[Symbol.iterator]();
    let left = limit;
    try {
      let step = stored.next();
      for (const text of this.#writtenIn(range)) {
        let order = orderOf(step, text, reverse);
        while (step.done !== true && order < 0) {
          yield step.value;
          if (--left === 0) return;
          step = stored.next();
          order = orderOf(step, text, reverse);
        }
        if (order === 0) step = stored.next();
        const value = this.#writes.get(text);
        if (value === undefined) continue;
        yield { key: keyBytes(text), value };
        if (--left === 0) return;
      }
      while (step.done !== true) {
        yield step.value;
        if (--left === 0) return;
        step = stored.next();
      }
    } finally {
      stored.return?.();
    }
  }
}

/** Compares a stored entry with a written key in traversal order: negative, 0 or positive. */
function orderOf(step: IteratorResult<Entry>, text: string, reverse: boolean): number {
  if (step.done === true) return 1;
  const stored = keyText(step.value.key);
  if (stored === text) return 0;
  return stored < text !== reverse ? -1 : 1;
}

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

/**
 * Returns the result of a body. Refuses promises, because their later work would run outside the
 * transaction.
 *
 * @throws {TypeError} The body returned a promise.
 */
export function settledResult<T>(result: T): T {
  if (!isThenable(result)) return result;
  // The refused promise is not awaited, so its rejection must not end the process.
  Promise.resolve(result).catch(() => undefined);
  throw new TypeError(
    'A transaction body must return a result, not a promise. Await outside the transaction.',
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as { then?: unknown }).then === 'function';
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
