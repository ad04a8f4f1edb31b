/** Transactions that seal what they write and open what they read. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { keyText } from '../store/bytes.js';
import type { Entry, KeyRange, ReadTx, SnapshotTx, WriteTx } from '../store/store.js';
import { underKey, unreadableValue } from '../store/value.js';
import { type KeyNeed, KeyNeeded, type KeyRing } from './key-ring.js';
import type { TenantText } from './key-source.js';
import { namespaceIn, subjectIn } from './last-keys.js';
import { ownerInNamespace, subjectOwner, TENANT_OWNER } from './owners.js';
import type { SealedFamilies, SealedFamily } from './sealed-families.js';
import { isSealed } from './sealed-value.js';
import { type KeyedDigest, partsStart, storedKey } from './stored-key.js';

/** What sealing needs to know. */
export interface Sealing {
  readonly ring: KeyRing;
  readonly progress: SealingProgress;
  readonly families: SealedFamilies;
}

/** Reads of one run of a body. */
export class SealedReads implements ReadTx {
  readonly #tx: ReadTx;
  readonly #sealing: Sealing;
  /** Stored keys by key, because a body often reads and writes the same ones. */
  readonly #stored = new Map<string, Uint8Array>();
  /** Set once the run lacks a key, so that it can't count. */
  needed: KeyNeeded | undefined;

  constructor(tx: ReadTx, sealing: Sealing) {
    this.#tx = tx;
    this.#sealing = sealing;
  }

  /** Returns how the family of a key is sealed; `undefined` for one whose values stay readable. */
  familyOf(key: Uint8Array): SealedFamily | undefined {
    return this.#sealing.families.of(key);
  }

  /** Returns an opened value. */
  get(key: Uint8Array): Uint8Array | undefined {
    const family = this.familyOf(key);
    if (family === undefined) return this.#tx.get(key);
    const stored = this.storedKeyOf(key, family);
    const value = this.#tx.get(stored);
    if (value !== undefined) return this.#noting(() => this.#opened(stored, value));
    return this.mayBePlain(stored, key) ? this.#tx.get(key) : undefined;
  }

  /** Returns opened entries. */
  range(range: KeyRange): Iterable<Entry> {
    const entries = this.#tx.range(this.storedRange(range));
    return { [Symbol.iterator]: () => this.openedEntries(entries) };
  }

  /** Returns a range with the keys under which its bounds are stored. */
  storedRange(range: KeyRange): KeyRange {
    return { ...range, from: this.storedKey(range.from), to: this.storedKey(range.to) };
  }

  /** Opens stored entries. */
  *openedEntries(entries: Iterable<Entry>): Generator<Entry, void, undefined> {
    const needs: KeyNeed[] = [];
    for (const entry of entries) {
      const { key } = entry;
      const family = this.familyOf(key);
      const value = family === undefined ? entry.value : this.#openedOrNeed(entry, needs);
      if (value === undefined || needs.length > 0) continue;
      const isUnderDigest = family?.digests !== undefined;
      yield { key, value: isUnderDigest ? underKey(value, key) : value };
    }
    // All keys that the range needs are brought at once.
    if (needs.length > 0) this.#lack(new KeyNeeded(...needs));
  }

  /** Returns the key under which an entry is stored. */
  storedKeyOf(key: Uint8Array, family: SealedFamily): Uint8Array {
    if (family.digests === undefined) return key;
    const text = keyText(key);
    const known = this.#stored.get(text);
    if (known !== undefined) return known;
    const stored = storedKey(key, family, this.#digestFor(key));
    this.#stored.set(text, stored);
    return stored;
  }

  /** Returns what makes digests of texts in a key. Without its secret, only these texts fail. */
  #digestFor(key: Uint8Array): KeyedDigest {
    try {
      return this.#noting(() => this.#sealing.ring.last.digestFor(key));
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      return () => {
        throw error;
      };
    }
  }

  /** Seals a value that is to be stored. */
  sealed(key: Uint8Array, stored: Uint8Array, value: Uint8Array, family: SealedFamily): Uint8Array {
    const owner = (tenant: TenantText): string => this.#ownerOf(key, tenant, family);
    return this.#noting(() => this.#sealing.ring.last.sealerFor(key, family, owner)).seal(
      stored,
      value,
    );
  }

  #ownerOf(key: Uint8Array, tenant: TenantText, family: SealedFamily): string {
    if (family.by === 'tenant') return TENANT_OWNER;
    if (family.by === 'subject') return subjectOwner(subjectIn(key));
    const name = keyText(namespaceIn(key));
    const known = this.#sealing.ring.ownerOf(tenant, name);
    if (known !== undefined) return known;
    const owner = this.#ownerStored(key);
    this.#sealing.ring.rememberOwner(tenant, name, owner);
    return owner;
  }

  /** Reads the owner of a namespace from its stored, readable form. */
  #ownerStored(key: Uint8Array): string {
    const start = partsStart(key);
    const namespaceKey = Buffer.concat([key.subarray(0, start), namespaceIn(key)]);
    namespaceKey[start - 1] = this.#sealing.families.namespaces;
    const value = this.get(namespaceKey);
    if (value === undefined) {
      throw new Error('A namespace has to be stored before the values in it.');
    }
    return ownerInNamespace(namespaceKey, value);
  }

  /** Whether an entry may still be under its readable key, from before the store was sealed. */
  mayBePlain(stored: Uint8Array, key: Uint8Array): boolean {
    return !this.#sealing.progress.isComplete && stored !== key;
  }

  /** Returns the key under which an entry is stored. */
  storedKey(key: Uint8Array): Uint8Array {
    const family = this.familyOf(key);
    return family === undefined ? key : this.storedKeyOf(key, family);
  }

  #openedOrNeed({ key, value }: Entry, needs: KeyNeed[]): Uint8Array | undefined {
    try {
      return this.#opened(key, value);
    } catch (error) {
      if (!(error instanceof KeyNeeded)) throw error;
      needs.push(...error.needs);
      return undefined;
    }
  }

  #opened(stored: Uint8Array, value: Uint8Array): Uint8Array {
    if (isSealed(value)) return openedValue(this.#sealing.ring, stored, value);
    if (!this.#sealing.progress.isComplete) return value;
    throw new AgentkeepError('storage_inconsistency');
  }

  #noting<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof KeyNeeded) this.needed ??= error;
      throw error;
    }
  }

  #lack(needed: KeyNeeded): never {
    this.needed ??= needed;
    throw needed;
  }
}

/**
 * Opens a sealed value. Returns a mark if its key can't be had, and the sealed bytes, which no
 * layout decodes, if it does not verify.
 *
 * @throws {KeyNeeded}
 */
export function openedValue(ring: KeyRing, stored: Uint8Array, value: Uint8Array): Uint8Array {
  const known = ring.opened.find(stored, value);
  if (known !== undefined) return known;
  const found = ring.openerFor(stored, value);
  if (typeof found === 'string') return unreadableValue(found);
  const opened = found.open(stored, value);
  if (opened === undefined) return value;
  ring.opened.remember(stored, value, opened);
  return opened;
}

/** A view of committed state. */
export class SealedSnapshotTx implements SnapshotTx {
  readonly #tx: SnapshotTx;
  readonly #reads: SealedReads;

  constructor(tx: SnapshotTx, reads: SealedReads) {
    this.#tx = tx;
    this.#reads = reads;
  }

  /** Returns an opened value. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#reads.get(key);
  }

  /** Returns opened entries. */
  range(range: KeyRange): Iterable<Entry> {
    return this.#reads.range(range);
  }

  /** Returns the key under which an entry is stored. */
  storedKey(key: Uint8Array): Uint8Array {
    return this.#reads.storedKey(key);
  }

  /** Returns the horizon of the state. */
  horizon(): Uint8Array {
    return this.#tx.horizon();
  }
}

/** A view that also writes. */
export class SealedWriteTx implements WriteTx {
  readonly #tx: WriteTx;
  readonly #reads: SealedReads;

  constructor(tx: WriteTx, reads: SealedReads) {
    this.#tx = tx;
    this.#reads = reads;
  }

  /** Returns the key under which an entry is stored. */
  storedKey(key: Uint8Array): Uint8Array {
    return this.#reads.storedKey(key);
  }

  /** The notes of the transaction. */
  get notes(): object[] {
    return this.#tx.notes;
  }

  /** Returns an opened value. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#reads.get(key);
  }

  /** Returns opened entries. */
  range(range: KeyRange): Iterable<Entry> {
    return this.#reads.range(range);
  }

  /** Stores a value, sealed if the table says so. */
  put(key: Uint8Array, value: Uint8Array): void {
    const family = this.#reads.familyOf(key);
    if (family === undefined) {
      this.#tx.put(key, value);
      return;
    }
    const stored = this.#reads.storedKeyOf(key, family);
    // What a scan returned is sealed already.
    const sealed = isSealed(value) ? value : this.#reads.sealed(key, stored, value, family);
    this.#tx.put(stored, sealed);
    this.#removePlain(key, stored);
  }

  /** Removes a key. */
  remove(key: Uint8Array): void {
    const family = this.#reads.familyOf(key);
    const stored = family === undefined ? key : this.#reads.storedKeyOf(key, family);
    this.#tx.remove(stored);
    this.#removePlain(key, stored);
  }

  /** Appends an entry. No appended subspace is sealed, as its positions are not known yet. */
  append(prefix: Uint8Array, value: Uint8Array): void {
    if (this.#reads.familyOf(prefix) !== undefined) {
      throw new TypeError('The values of an appended subspace cannot be sealed.');
    }
    this.#tx.append(prefix, value);
  }

  #removePlain(key: Uint8Array, stored: Uint8Array): void {
    if (this.#reads.mayBePlain(stored, key)) this.#tx.remove(key);
  }
}

/** Whether values that are still plain may be read; it changes once. */
export interface SealingProgress {
  isComplete: boolean;
}
