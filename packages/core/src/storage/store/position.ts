/**
 * Positions of appended entries, and access to the families whose entries get them from the store.
 * A position is the epoch, the version of the commit, the index in the commit. Their byte order is
 * the order of commits. An epoch is raised whenever versions may go back, so that positions never
 * do.
 */
import { keyText } from './bytes.js';
import { valuesBehind } from './committed-values.js';
import { defineFamily, type FamilyFacts, type FamilyStatement, working } from './family.js';
import { encodeKey, INSTALLATION, type KeyShape, type KeyTuple } from './key.js';
import { type Entry, POSITION_BYTES, type ReadTx, type WriteTx } from './store.js';
import { openValue, sealValue, type ValueLayout } from './value.js';

const EPOCH_BYTES = 6;
const VERSION_BYTES = 7;
const INDEX_BYTES = 3;
const HALF = 2 ** 32;

/** Returns a position: an epoch in Unix milliseconds, a version, and an index from 0. */
export function positionOf(epoch: number, version: number, index: number): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES);
  bytes.writeUIntBE(epoch, 0, EPOCH_BYTES);
  bytes.writeUIntBE(Math.floor(version / HALF), EPOCH_BYTES, VERSION_BYTES - 4);
  bytes.writeUInt32BE(version % HALF, EPOCH_BYTES + VERSION_BYTES - 4);
  bytes.writeUIntBE(index, EPOCH_BYTES + VERSION_BYTES, INDEX_BYTES);
  return bytes;
}

/** The position before all others. */
export const FIRST_POSITION: Uint8Array = new Uint8Array(POSITION_BYTES);

/** The position after all others. */
export const LAST_POSITION: Uint8Array = new Uint8Array(POSITION_BYTES).fill(0xff);

/** Returns the least position that is greater than this one. */
export function afterPosition(position: Uint8Array): Uint8Array {
  const next = Buffer.from(position);
  for (let index = next.length - 1; index >= 0; index--) {
    const byte = next[index] ?? 0;
    next[index] = (byte + 1) & 0xff;
    if (byte < 0xff) break;
  }
  return next;
}

/** The stored epoch of a store. */
export interface StoredEpoch {
  readonly epoch: number;
  /**
   * Identifies, in a way that the store defines, the source of the versions of the epoch; 0 for
   * none.
   */
  readonly source: number;
}

/** The layout of the stored epoch: both members at fixed offsets. */
const epochLayout: ValueLayout<StoredEpoch> = {
  version: 1,
  encode: ({ epoch, source }, before, behind) => {
    const bytes = Buffer.allocUnsafe(before + EPOCH_BYTES + 8 + behind);
    bytes.writeUIntBE(epoch, before, EPOCH_BYTES);
    bytes.writeBigUInt64BE(BigInt(source), before + EPOCH_BYTES);
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    if (end - start !== EPOCH_BYTES + 8) throw new RangeError('No epoch.');
    const source = Number(bytes.readBigUInt64BE(start + EPOCH_BYTES));
    return { epoch: bytes.readUIntBE(start, EPOCH_BYTES), source };
  },
};

/** Installation: the epoch of positions. Only stores write it. */
export const epochFamily = defineFamily({
  name: 'epoch',
  number: 0,
  key: [],
  layout: epochLayout,
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** The key of the stored epoch. */
export const EPOCH_KEY: Uint8Array = epochFamily.keyOf(INSTALLATION);

/** Encodes an epoch for {@link EPOCH_KEY}. */
export function sealEpoch(stored: StoredEpoch): Uint8Array {
  return epochFamily.seal(stored, INSTALLATION).value;
}

/** Decodes the bytes under {@link EPOCH_KEY}. Returns `undefined` if they do not verify. */
export function openEpoch(sealed: Uint8Array | undefined): StoredEpoch | undefined {
  return sealed && epochFamily.openIfReadable(EPOCH_KEY, sealed);
}

/**
 * Returns an epoch above the last one, and above the epochs of a copy that was made before `nowMs`.
 */
export function nextEpoch(last: StoredEpoch | undefined, nowMs: number): number {
  return Math.max((last?.epoch ?? 0) + 1, nowMs);
}

/** Assigns positions to the commits of one opening, which is an epoch of its own. */
export class Positions {
  /** The epoch. */
  readonly epoch: number;
  #version = 0;
  #settled = 0;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  /** Begins a commit. Returns the position of an entry by its index in it. */
  begin(): (index: number) => Uint8Array {
    const version = this.#version;
    this.#version += 1;
    return (index) => positionOf(this.epoch, version, index);
  }

  /** Number of commits that have begun. */
  get begun(): number {
    return this.#version;
  }

  /**
   * Notes that reads see the first `begun` commits, or that the unseen ones among them have failed.
   * Called at the moment at which reads begin to see them.
   */
  settle(begun: number): void {
    this.#settled = Math.max(this.#settled, begun);
  }

  /** The position below which reads see everything that will ever be there. */
  get horizon(): Uint8Array {
    return positionOf(this.epoch, this.#settled, 0);
  }
}

/** A decoded entry with its position. */
export interface PositionedRow<V> {
  /** The encoded key; on loan until the next step. */
  readonly key: Uint8Array;
  /** On loan until the next step. */
  readonly position: Uint8Array;
  readonly value: V;
}

/** The entries with the same first parts, between two positions. */
export interface PositionSpan<P> {
  readonly prefix: P;
  /** The first position. */
  readonly from: Uint8Array;
  /** The position before which the span ends. */
  readonly to: Uint8Array;
  readonly limit: number;
  /** Whether the last entries come first. */
  readonly reverse?: boolean;
}

/**
 * A family whose entries are only appended and removed. A key is that of the family and a
 * position. The checksum of a value covers the key without the position, which is still unknown
 * when the value is encoded.
 */
export class AppendedFamily<const N extends string, const S extends KeyShape, V> {
  readonly name: N;
  readonly number: number;
  readonly shape: S;
  readonly facts: FamilyFacts;
  readonly #layout: ValueLayout<V>;

  constructor(stated: FamilyStatement<N, S, V, V>) {
    this.name = stated.name;
    this.number = stated.number;
    this.shape = stated.key;
    this.facts = stated;
    this.#layout = stated.layout;
  }

  /** Encodes an entry without its position. */
  seal(value: V, tenant: string, ...prefix: KeyTuple<S>): Entry {
    const key = this.#prefixOf(tenant, prefix);
    return { key, value: sealValue(this.#layout, key, value) };
  }

  /** Appends a value. */
  append(tx: WriteTx, value: V, tenant: string, ...prefix: KeyTuple<S>): void {
    const entry = this.seal(value, tenant, ...prefix);
    tx.append(entry.key, entry.value);
  }

  /**
   * Decodes bytes that were read under an encoded key.
   *
   * @throws {AgentkeepError} `storage_inconsistency` when they do not verify.
   */
  open(key: Uint8Array, sealed: Uint8Array): V {
    return openValue(this.#layout, key.subarray(0, key.length - POSITION_BYTES), sealed);
  }

  /** Returns the key of an entry. */
  keyOf(tenant: string, prefix: KeyTuple<S>, position: Uint8Array): Uint8Array {
    return Buffer.concat([this.#prefixOf(tenant, prefix), position]);
  }

  /**
   * Yields the decoded entries of a span, in the order of their positions or backward.
   *
   * @throws {AgentkeepError} `storage_inconsistency` at the first entry that does not verify.
   */
  *rows(tx: ReadTx, tenant: string, span: PositionSpan<KeyTuple<S>>): Iterable<PositionedRow<V>> {
    const from = this.keyOf(tenant, span.prefix, span.from);
    const to = this.keyOf(tenant, span.prefix, span.to);
    const { limit, reverse = false } = span;
    for (const { key, value } of tx.range({ from, to, limit, reverse })) {
      const position = key.subarray(key.length - POSITION_BYTES);
      yield { key, position, value: this.open(key, value) };
    }
  }

  /**
   * Returns an object that stays the same until a commit writes an entry of a tenant; `undefined`
   * in a transaction that does not remember committed values. Only for keys of a position alone.
   */
  mark(this: AppendedFamily<N, readonly [], V>, tx: ReadTx, tenant: string): object | undefined {
    const values = valuesBehind(tx);
    if (values === undefined) return undefined;
    const { number } = this;
    const known = values.find(number, tenant, '') as object | undefined;
    if (known !== undefined) return known;
    const value = {};
    const group = keyText(this.#prefixOf(tenant, []));
    const found = { value, keyText: group, tailBytes: POSITION_BYTES, sealedBytes: 0 };
    values.remember({ subspace: number, tenant, name: '' }, { ...found, owner: tenant });
    return value;
  }

  #prefixOf(tenant: string, prefix: KeyTuple<S>): Uint8Array {
    return encodeKey(tenant, this.number, this.shape, prefix);
  }
}
