/**
 * Typed subspaces: the only way from the domain to the store. A subspace joins the shape of
 * its keys with the layout of its values.
 */
import { keyText } from './bytes.js';
import { ABSENT, type CommittedValues, knownBehind, valuesBehind } from './committed-values.js';
import { DecodeMemo } from './decode-memo.js';
import {
  afterKey,
  afterPrefix,
  encodeKey,
  fixedBytes,
  type KeyPrefix,
  type KeyShape,
  type KeyTuple,
  keyWithUuid,
  type SubspaceKey,
} from './key.js';
import type { Entry, ReadTx, WriteTx } from './store.js';
import {
  copiedContent,
  ifReadable,
  openerUnder,
  openValue,
  sealValue,
  type ValueLayout,
} from './value.js';

/** The bounds of a range of a subspace. */
export interface Span<K extends readonly unknown[]> {
  /** The first parts, shared by all keys. */
  readonly prefix: KeyPrefix<K>;
  /** Start after this key. */
  readonly after?: K | undefined;
  /** End after this key. */
  readonly through?: K | undefined;
  /** End before the first key with these parts. */
  readonly before?: KeyPrefix<K> | undefined;
  readonly limit?: number | undefined;
  readonly reverse?: boolean;
}

/** A decoded entry of a range. */
export interface Row<V> {
  /** The encoded key; on loan until the next step. */
  readonly key: Uint8Array;
  readonly value: V;
}

/** A decoded value with its stored size. */
export interface Measured<V> {
  readonly value: V;
  readonly bytes: number;
}

/** A decoded value with the bytes of its layout version and content. */
export interface Copied<V> {
  readonly value: V;
  readonly content: Uint8Array;
}

/** One step of a walk through all values of a tenant in one subspace. */
export interface Batch {
  /** Where the step before ended; `undefined` for the first. */
  readonly from: Uint8Array | undefined;
  readonly limit: number;
}

/** The values of one step. */
export interface ReadableBatch<V> {
  readonly values: readonly V[];
  /** Where the next step starts; `undefined` at the end. */
  readonly next: Uint8Array | undefined;
}

/** What a subspace remembers of its values. */
export interface Remembered<R> {
  /**
   * Keeps decoded values of a bounded number of keys. A later `get` still reads the stored bytes,
   * but decodes them only if they have changed. Never change such a value.
   */
  readonly remember?: boolean;
  /**
   * Reads that remember committed values ({@link valuesBehind}) remember those of this subspace, in
   * the memory share of the tenant that this function returns. Only for keys of UUIDs, or of one
   * part. Never change such a value.
   */
  readonly committedFor?: (value: R, tenant: string) => string;
  /**
   * Such reads also remember that a key has no value, in the share of the tenant of the key. Only
   * for keys that a caller cannot make up before it is authenticated.
   */
  readonly remembersAbsence?: boolean;
}

/** Typed access to one subspace, inside a transaction of the caller. */
export class Subspace<const S extends KeyShape, W, R = W> {
  readonly #key: SubspaceKey<S>;
  readonly #layout: ValueLayout<W, R>;
  readonly #memo: DecodeMemo<R> | undefined;
  readonly #committedFor: Remembered<R>['committedFor'];
  readonly #remembersAbsence: boolean;

  constructor(
    key: SubspaceKey<S>,
    layout: ValueLayout<W, R>,
    { remember, committedFor, remembersAbsence = false }: Remembered<R> = {},
  ) {
    this.#key = key;
    this.#layout = layout;
    this.#memo = remember === true ? new DecodeMemo() : undefined;
    this.#committedFor = committedFor;
    this.#remembersAbsence = remembersAbsence;
  }

  /** Encodes a key. */
  keyOf(tenant: string, ...parts: KeyTuple<S>): Uint8Array {
    return encodeKey(tenant, this.#key.number, this.#key.shape, parts);
  }

  /**
   * Returns the value under a key, or `undefined`.
   *
   * @throws {AgentkeepError} `storage_inconsistency` when it does not verify.
   */
  get(tx: ReadTx, tenant: string, ...parts: KeyTuple<S>): R | undefined {
    const owned = this.#committedFor;
    const known = owned && knownBehind(tx);
    if (owned !== undefined && known !== undefined) {
      const name = nameOf(parts);
      const value = known.find(this.#key.number, tenant, name);
      if (value !== undefined) return value === ABSENT ? undefined : (value as R);
      const values = valuesBehind(tx);
      if (values !== undefined) {
        return this.#getCommitted(tx, values, owned, { tenant, name, parts });
      }
    }
    const key = encodeKey(tenant, this.#key.number, this.#key.shape, parts);
    const sealed = tx.get(key);
    return sealed && this.#decoded(key, sealed);
  }

  #decoded(key: Uint8Array, sealed: Uint8Array): R {
    if (this.#memo === undefined) return this.open(key, sealed);
    return this.#memo.decode(key, sealed, () => this.open(key, sealed));
  }

  /** Reads a value that is not remembered yet, and remembers it. */
  #getCommitted(
    tx: ReadTx,
    values: CommittedValues,
    owned: NonNullable<Remembered<R>['committedFor']>,
    { tenant, name, parts }: { tenant: string; name: string; parts: KeyTuple<S> },
  ): R | undefined {
    const { number, shape } = this.#key;
    const key = encodeKey(tenant, number, shape, parts);
    const sealed = tx.get(key);
    if (sealed === undefined && !this.#remembersAbsence) return undefined;
    const value = sealed && this.#decoded(key, sealed);
    values.remember(
      { subspace: number, tenant, name },
      {
        value: value ?? ABSENT,
        keyText: keyText(key),
        tailBytes: 0,
        sealedBytes: sealed?.length ?? 0,
        owner: value === undefined ? tenant : owned(value, tenant),
      },
    );
    return value;
  }

  /** As {@link get}, with the stored size of the value in bytes. */
  measured(tx: ReadTx, tenant: string, ...parts: KeyTuple<S>): Measured<R> | undefined {
    const key = this.keyOf(tenant, ...parts);
    const sealed = tx.get(key);
    return sealed && { value: this.open(key, sealed), bytes: sealed.length };
  }

  /**
   * Returns {@link measured} for keys that end with a UUID behind these parts, which is faster for
   * many of them.
   */
  measuredUnder(
    tenant: string,
    ...prefix: KeyPrefix<KeyTuple<S>>
  ): (tx: ReadTx, uuid: string) => Measured<R> | undefined {
    const start = encodeKey(tenant, this.#key.number, this.#key.shape, prefix);
    const open = openerUnder(this.#layout, start);
    return (tx, uuid) => {
      const key = keyWithUuid(start, uuid);
      const sealed = tx.get(key);
      return sealed && { value: open(key, sealed), bytes: sealed.length };
    };
  }

  /** As {@link get}, with a copy of the stored layout version and content. */
  copied(tx: ReadTx, tenant: string, ...parts: KeyTuple<S>): Copied<R> | undefined {
    const key = this.keyOf(tenant, ...parts);
    const sealed = tx.get(key);
    return sealed && { value: this.open(key, sealed), content: copiedContent(sealed) };
  }

  /** Returns whether a key has a value, without decoding it. */
  has(tx: ReadTx, tenant: string, ...parts: KeyTuple<S>): boolean {
    return tx.get(this.keyOf(tenant, ...parts)) !== undefined;
  }

  /** Encodes an entry, so that a later transaction only has to put it. */
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

  /**
   * Decodes bytes that were read under an encoded key.
   *
   * @throws {AgentkeepError} `storage_inconsistency` when they do not verify.
   */
  open(key: Uint8Array, sealed: Uint8Array): R {
    return openValue(this.#layout, key, sealed);
  }

  /** Returns {@link open} for keys with these first parts, which is faster for many of them. */
  opener(
    tenant: string,
    ...prefix: KeyPrefix<KeyTuple<S>>
  ): (key: Uint8Array, sealed: Uint8Array) => R {
    const { number, shape } = this.#key;
    return openerUnder(this.#layout, encodeKey(tenant, number, shape, prefix));
  }

  /** As {@link open}, but returns `undefined` for bytes that do not verify. */
  openIfReadable(key: Uint8Array, sealed: Uint8Array): R | undefined {
    return ifReadable(() => this.open(key, sealed));
  }

  /**
   * Returns the result of `read` for the entries with these first parts; the other parts must be of
   * fixed size. Reads that remember committed values remember it, in the memory share of the
   * tenant, until a commit writes one of those entries. Never change it.
   */
  grouped<T>(
    tx: ReadTx,
    tenant: string,
    prefix: KeyPrefix<KeyTuple<S>>,
    read: () => Measured<T>,
  ): T {
    const values = valuesBehind(tx);
    if (values === undefined) return read().value;
    const { number, shape } = this.#key;
    const valueKey = { subspace: number, tenant, name: nameOf(prefix) };
    const known = values.find(number, tenant, valueKey.name) as T | undefined;
    if (known !== undefined) return known;
    const { value, bytes: sealedBytes } = read();
    const group = keyText(encodeKey(tenant, number, shape, prefix));
    const tailBytes = fixedBytes(shape.slice(prefix.length));
    values.remember(valueKey, { value, keyText: group, tailBytes, sealedBytes, owner: tenant });
    return value;
  }

  /** Returns the encoded entries of a span, in key order. */
  entries(tx: ReadTx, tenant: string, span: Span<KeyTuple<S>>): Iterable<Entry> {
    const { number, shape } = this.#key;
    const prefix = encodeKey(tenant, number, shape, span.prefix);
    const from = span.after === undefined ? prefix : afterKey(this.keyOf(tenant, ...span.after));
    return tx.range({
      from,
      to: this.#endOf(tenant, prefix, span),
      ...(span.limit === undefined ? {} : { limit: span.limit }),
      ...(span.reverse === undefined ? {} : { reverse: span.reverse }),
    });
  }

  /** Returns the encoded entries of a tenant from a key on, in key order. */
  entriesFrom(
    tx: ReadTx,
    tenant: string,
    { from, limit }: { readonly from: Uint8Array | undefined; readonly limit: number },
  ): Iterable<Entry> {
    const prefix = encodeKey(tenant, this.#key.number, this.#key.shape, []);
    return tx.range({ from: from ?? prefix, to: afterPrefix(prefix), limit });
  }

  #endOf(tenant: string, prefix: Uint8Array, { through, before }: Span<KeyTuple<S>>): Uint8Array {
    if (through !== undefined) return afterKey(this.keyOf(tenant, ...through));
    if (before === undefined) return afterPrefix(prefix);
    return encodeKey(tenant, this.#key.number, this.#key.shape, before);
  }

  /**
   * Returns the next values and skips those that do not verify: for work that must reach every
   * sound value although some are damaged.
   */
  readable(tx: ReadTx, tenant: string, batch: Batch): ReadableBatch<R> {
    const values: R[] = [];
    let count = 0;
    let next: Uint8Array | undefined;
    for (const { key, value } of this.entriesFrom(tx, tenant, batch)) {
      count += 1;
      if (count === batch.limit) next = afterKey(key);
      const opened = this.openIfReadable(key, value);
      if (opened !== undefined) values.push(opened);
    }
    return { values, next };
  }

  /**
   * Returns the decoded values of a span, in key order.
   *
   * @throws {AgentkeepError} `storage_inconsistency` when one of them does not verify.
   */
  values(tx: ReadTx, tenant: string, span: Span<KeyTuple<S>>): R[] {
    return Array.from(this.rows(tx, tenant, span), ({ value }) => value);
  }

  /**
   * Yields the decoded entries of a span, in key order.
   *
   * @throws {AgentkeepError} `storage_inconsistency` at the first entry that does not verify.
   */
  *rows(tx: ReadTx, tenant: string, span: Span<KeyTuple<S>>): Iterable<Row<R>> {
    for (const { key, value } of this.entries(tx, tenant, span)) {
      yield { key, value: this.open(key, value) };
    }
  }
}

/** Names a key within its tenant and subspace. */
function nameOf(parts: readonly unknown[]): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'string') return first;
  return parts
    .map((part) => (typeof part === 'string' ? part : keyText(part as Uint8Array)))
    .join(' ');
}
