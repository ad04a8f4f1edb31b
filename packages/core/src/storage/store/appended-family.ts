/** Typed access to a family whose entries get their positions from the store. */
import { keyText } from './bytes.js';
import { valuesBehind } from './committed-reads.js';
import type { FamilyFacts, FamilyStatement } from './family.js';
import { encodeKey, type KeyShape, type KeyTuple } from './key.js';
import { POSITION_BYTES } from './position.js';
import type { Entry, ReadTx, WriteTx } from './store.js';
import { openValue, sealValue, type ValueLayout } from './value.js';

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
