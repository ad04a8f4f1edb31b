/**
 * Typed subspaces: the only way from the domain to the store. A subspace joins a key shape of
 * `keyspace.ts` with the layout of its values.
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { DecodeMemo } from './decode-memo.js';
import {
  afterKey,
  afterPrefix,
  encodeKey,
  type KeyPrefix,
  type KeyShape,
  type KeyTuple,
} from './key.js';
import type { SubspaceKey } from './keyspace.js';
import type { Entry, ReadTx, WriteTx } from './store.js';
import { openValue, sealValue, type ValueLayout } from './value.js';

/** Where a range of a subspace starts and ends. */
export interface Span<K extends readonly unknown[]> {
  /** First parts that all keys share. */
  readonly prefix: KeyPrefix<K>;
  /** Start behind this key. */
  readonly after?: K;
  /** End before the first key with these parts. */
  readonly before?: KeyPrefix<K>;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** One decoded entry of a range. */
export interface Row<V> {
  /** The encoded key; on loan until the next step. */
  readonly key: Uint8Array;
  readonly value: V;
}

/** A piece of a walk through everything of a tenant in one subspace. */
export interface Batch {
  /** Where the piece before ended; `undefined` for the first. */
  readonly from: Uint8Array | undefined;
  readonly limit: number;
}

/** What a piece held, and where the next one starts; `undefined` at the end. */
export interface ReadableBatch<V> {
  readonly values: readonly V[];
  readonly next: Uint8Array | undefined;
}

/** Typed access to one subspace, inside a transaction that is handed in. */
export class Subspace<const S extends KeyShape, W, R = W> {
  readonly #key: SubspaceKey<S>;
  readonly #layout: ValueLayout<W, R>;
  readonly #memo: DecodeMemo<R> | undefined;

  /**
   * `remember` keeps decoded values of a bounded number of keys: a later `get` still reads the
   * stored bytes, but decodes them only when they have changed. Such values are never mutated.
   */
  constructor(
    key: SubspaceKey<S>,
    layout: ValueLayout<W, R>,
    options: { remember?: boolean } = {},
  ) {
    this.#key = key;
    this.#layout = layout;
    this.#memo = options.remember === true ? new DecodeMemo() : undefined;
  }

  /** The encoded key of a tuple. */
  keyOf(tenant: string, ...parts: KeyTuple<S>): Uint8Array {
    return encodeKey(tenant, this.#key.number, this.#key.shape, parts);
  }

  /**
   * The value under a key, or `undefined`.
   * @throws {AgentkeepError} `storage_inconsistency` when it does not verify.
   */
  get(tx: ReadTx, tenant: string, ...parts: KeyTuple<S>): R | undefined {
    const key = this.keyOf(tenant, ...parts);
    const sealed = tx.get(key);
    if (sealed === undefined) return undefined;
    if (this.#memo === undefined) return this.open(key, sealed);
    return this.#memo.decode(key, sealed, () => this.open(key, sealed));
  }

  /** Whether there is a value, without decoding it. */
  has(tx: ReadTx, tenant: string, ...parts: KeyTuple<S>): boolean {
    return tx.get(this.keyOf(tenant, ...parts)) !== undefined;
  }

  /** Encodes an entry ahead of the transaction that will {@link store} it. */
  seal(value: W, tenant: string, ...parts: KeyTuple<S>): Entry {
    const key = this.keyOf(tenant, ...parts);
    return { key, value: sealValue(this.#layout, key, value) };
  }

  /** Stores a value; returns its encoded key. */
  put(tx: WriteTx, value: W, tenant: string, ...parts: KeyTuple<S>): Uint8Array {
    const entry = this.seal(value, tenant, ...parts);
    tx.put(entry.key, entry.value);
    return entry.key;
  }

  /** Decodes bytes that were read under an encoded key. */
  open(key: Uint8Array, sealed: Uint8Array): R {
    return openValue(this.#layout, key, sealed);
  }

  /** The still encoded entries of a span, in key order. */
  entries(tx: ReadTx, tenant: string, span: Span<KeyTuple<S>>): Iterable<Entry> {
    const { number, shape } = this.#key;
    const prefix = encodeKey(tenant, number, shape, span.prefix);
    const from = span.after === undefined ? prefix : afterKey(this.keyOf(tenant, ...span.after));
    return tx.range({
      from,
      to:
        span.before === undefined
          ? afterPrefix(prefix)
          : encodeKey(tenant, number, shape, span.before),
      ...(span.limit === undefined ? {} : { limit: span.limit }),
      ...(span.reverse === undefined ? {} : { reverse: span.reverse }),
    });
  }

  /**
   * The next decoded values, those that do not verify left out: for work that goes through all of
   * them and must not end at one that is damaged.
   */
  readable(tx: ReadTx, tenant: string, batch: Batch): ReadableBatch<R> {
    const { from, limit } = batch;
    const prefix = encodeKey(tenant, this.#key.number, this.#key.shape, []);
    const values: R[] = [];
    let count = 0;
    let next: Uint8Array | undefined;
    for (const { key, value } of tx.range({
      from: from ?? prefix,
      to: afterPrefix(prefix),
      limit,
    })) {
      count += 1;
      if (count === limit) next = afterKey(key);
      const opened = this.#openIfWhole(key, value);
      if (opened !== undefined) values.push(opened);
    }
    return { values, next };
  }

  #openIfWhole(key: Uint8Array, sealed: Uint8Array): R | undefined {
    try {
      return this.open(key, sealed);
    } catch (error) {
      if (error instanceof AgentkeepError && error.code === 'storage_inconsistency')
        return undefined;
      throw error;
    }
  }

  /**
   * The decoded entries of a span, in key order.
   * @throws {AgentkeepError} `storage_inconsistency` at the first entry that does not verify.
   */
  *rows(tx: ReadTx, tenant: string, span: Span<KeyTuple<S>>): Iterable<Row<R>> {
    for (const { key, value } of this.entries(tx, tenant, span)) {
      yield { key, value: this.open(key, value) };
    }
  }
}
