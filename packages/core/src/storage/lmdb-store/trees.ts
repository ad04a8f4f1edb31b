/**
 * The trees of a data file, as one ordered map. The subspaces that every memory command appends to
 * have trees of their own: LMDB fills pages that are appended to, but halves a page whenever a key
 * is added before another one that is in it (docs/adr/0034).
 */
import type { Database, RangeOptions, RootDatabase, Transaction } from 'lmdb';
import { asBuffer, copyBytes } from '../store/bytes.js';
import type { Entry } from '../store/store.js';

/** Views up to this length are kept. Longer ones are rare and cheap compared to their copy. */
const KEPT_LENGTHS = 4_096;

/** Returns a view of a buffer. The offset must be the same in all calls for one buffer. */
type LendView = (memory: ArrayBufferLike, offset: number, length: number) => Uint8Array;

/**
 * Creates a function that lends views. All views share the same memory, so each loan ends with the
 * next read, as the port allows.
 */
function loanedViews(): LendView {
  let knownMemory: ArrayBufferLike | undefined;
  let knownOffset = -1;
  let views: (Uint8Array | undefined)[] = [];
  return (memory, offset, length) => {
    if (memory !== knownMemory || offset !== knownOffset) {
      knownMemory = memory;
      knownOffset = offset;
      views = [];
    }
    if (length > KEPT_LENGTHS) return Buffer.from(memory, offset, length);
    return (views[length] ??= Buffer.from(memory, offset, length));
  };
}

/** A key. Texts have one character per byte, as in overlays. */
type EntryKey = Uint8Array | string;

type Tree = Database<Uint8Array, EntryKey>;

/**
 * Numbers of the families that have a tree of their own, which is part of the format of the file:
 * records, search entries, receipts and changes of memory.
 */
export const OWN_TREES: readonly number[] = [6, 7, 8, 66];

/** The tree of all keys without a tree of their own. */
const OTHERS = 'entries_others';

const nameOf = (subspace: number): string => `entries_${subspace}`;

/** Reads and writes entries in the tree that they belong to. */
export class Trees {
  readonly #others: Tree;
  /** By the number of the subspace. */
  readonly #own: readonly (Tree | undefined)[];
  readonly #all: readonly Tree[];
  /** The state that reads see during a commit; `undefined` for the newest. */
  #held: { readonly transaction: Transaction } | undefined;

  private constructor(others: Tree, own: readonly (Tree | undefined)[]) {
    this.#others = others;
    this.#own = own;
    this.#all = [others, ...own.filter((tree) => tree !== undefined)];
  }

  /** Creates the trees of a new data file. */
  static create(root: RootDatabase): void {
    for (const name of [OTHERS, ...OWN_TREES.map(nameOf)]) root.openDB({ name, ...entryCodec() });
  }

  /** Opens the trees of a data file; `undefined` if they are not those of a store. */
  static open(root: RootDatabase): Trees | undefined {
    const openTree = (name: string): Tree | undefined => {
      const options: object = { ...entryCodec(), create: false };
      // openDB returns `undefined` if there is no such database, contrary to its types.
      return root.openDB<Uint8Array, EntryKey>(name, options);
    };
    const others = openTree(OTHERS);
    if (others === undefined) return undefined;
    const own: Tree[] = [];
    for (const number of OWN_TREES) {
      const tree = openTree(nameOf(number));
      if (tree === undefined) return undefined;
      own[number] = tree;
    }
    return new Trees(others, own);
  }

  /** Returns the value of a key, on loan. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#treeOf(key).get(key, this.#held);
  }

  /** Begins a read of the last committed state, which lasts until it is done. */
  beginRead(): Transaction {
    return this.#others.useReadTransaction();
  }

  /** Lets reads see the last committed state until {@link releaseReads}. */
  holdReads(): void {
    this.#held = { transaction: this.beginRead() };
  }

  /** Lets reads see the newest state again. */
  releaseReads(): void {
    this.#held?.transaction.done();
    this.#held = undefined;
  }

  /** Stores an entry in the current transaction. */
  put(key: string, value: Uint8Array): void {
    this.#treeOf(key).putSync(key, value);
  }

  /** Removes an entry in the current transaction. */
  remove(key: string): void {
    this.#treeOf(key).removeSync(key);
  }

  /** Number of entries. */
  count(): number {
    const counts = this.#all.map((tree) => (tree.getStats() as { entryCount: number }).entryCount);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Size of the address space, in bytes. */
  get mapSizeBytes(): number {
    return (this.#others.getStats() as { mapSize: number }).mapSize;
  }

  /** Iterates over a span, whose bounds are given separately too. */
  range(span: RangeOptions, from?: Uint8Array, to?: Uint8Array): Iterator<Entry, undefined> {
    // A state that the span names comes first.
    const options = this.#held === undefined ? span : { ...this.#held, ...span };
    const only = from && to && onlySubspaceIn(from, to);
    if (only !== undefined) return stepsOf(this.#own[only] ?? this.#others, options);
    return merged(
      this.#all.map((tree) => stepsOf(tree, options)),
      options,
    );
  }

  #treeOf(key: EntryKey): Tree {
    return this.#own[subspaceIn(key)] ?? this.#others;
  }
}

function stepsOf(tree: Tree, options: RangeOptions): Iterator<Entry, undefined> {
  return tree.getRange(options)[Symbol.iterator]() as Iterator<Entry, undefined>;
}

/**
 * Merges spans of several trees. It reads on in one tree up to the next key of another. Entries are
 * copied only at a change of trees, because each read ends earlier loans.
 */
function* merged(
  trees: readonly Iterator<Entry, undefined>[],
  { limit = Infinity, reverse = false }: RangeOptions,
): Generator<Entry, undefined> {
  const isBefore = (one: Entry, other: Entry | undefined): boolean =>
    other === undefined || asBuffer(one.key).compare(other.key) < 0 !== reverse;
  const heads = trees.map((tree) => copied(tree.next().value));
  let left = limit;
  try {
    while (left > 0) {
      let first = 0;
      for (const [at, head] of heads.entries()) {
        if (head !== undefined && isBefore(head, heads[first])) first = at;
      }
      const tree = trees[first];
      let next = heads[first];
      if (tree === undefined || next === undefined) return undefined;
      heads[first] = undefined;
      let bound: Entry | undefined;
      for (const head of heads) if (head !== undefined && isBefore(head, bound)) bound = head;
      while (next !== undefined && isBefore(next, bound)) {
        yield next;
        left -= 1;
        if (left === 0) return undefined;
        next = tree.next().value;
      }
      heads[first] = copied(next);
    }
    return undefined;
  } finally {
    for (const tree of trees) tree.return?.();
  }
}

function copied(entry: Entry | undefined): Entry | undefined {
  return entry && { key: copyBytes(entry.key), value: copyBytes(entry.value) };
}

/**
 * Encodes keys and values unchanged. Decoded ones are on loan from the buffers that LMDB reads
 * into.
 */
function entryCodec() {
  const lendKey = loanedViews();
  const lendValue = loanedViews();
  return {
    keyEncoder: {
      writeKey: (key: EntryKey, target: Buffer, start: number) => {
        if (typeof key === 'string') return start + target.write(key, start, 'latin1');
        target.set(key, start);
        return start + key.length;
      },
      readKey: (source: Uint8Array, start: number, end: number) =>
        lendKey(source.buffer, source.byteOffset + start, end - start),
    },
    encoder: {
      encode: (value: Uint8Array) => value,
      // The `lmdb` package sets the length of its buffer to that of the value.
      decode: (value: Uint8Array) => lendValue(value.buffer, value.byteOffset, value.length),
    },
  };
}

/** Returns the number of the subspace that a key names after its tenant; -1 if it names none. */
export function subspaceIn(key: Uint8Array | string): number {
  if (typeof key === 'string') {
    const zero = key.indexOf('\0');
    return zero === -1 || zero + 1 === key.length ? -1 : key.charCodeAt(zero + 1);
  }
  const zero = key.indexOf(0);
  return zero === -1 ? -1 : (key[zero + 1] ?? -1);
}

/**
 * Returns the number of the subspace of one tenant that contains all keys from `from` up to `to`,
 * or `undefined` if they may be in several.
 */
export function onlySubspaceIn(from: Uint8Array, to: Uint8Array): number | undefined {
  const zero = from.indexOf(0);
  const number = zero === -1 ? undefined : from[zero + 1];
  if (number === undefined || to.length < zero + 2) return undefined;
  for (let at = 0; at <= zero; at++) if (from[at] !== to[at]) return undefined;
  if (to[zero + 1] === number) return number;
  // The end of a subspace is the start of the next one.
  return to[zero + 1] === number + 1 && to.length === zero + 2 ? number : undefined;
}
