/** One slice of an erasure: a transaction that examines and removes a bounded number of entries. */
import { isMarkedBy } from '../../kernel/erased/erasure-mark-store.js';
import { sha256Stream } from '../../contract/digest.js';
import { type CountName, noteChange } from '../../kernel/counts/counts.js';
import { copyBytes, keyText } from '../../storage/store/bytes.js';
import { afterKey, afterPrefix, afterTenant, encodeKey } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { Namespace } from '../../kernel/access/namespace.js';
import type { Families } from '../../storage/families/families.js';
import type { StoredTarget } from '../stored/target.js';
import type { StoredErasure } from '../stored/erasure-store.js';

/** Entries that one transaction examines. */
const SLICE_ENTRIES = 256;

/** What a visit of an entry finds. */
export interface VisitedEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** The part of the key space that a walk passes. */
export interface WalkedPart {
  readonly family: string;
  /** The tenant part of its keys. */
  readonly tenant: string;
  /** The first parts of its keys. */
  readonly prefix?: readonly unknown[];
}

/** A range to visit. */
interface VisitedRange {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** How many entries go at most where one of them goes. */
  readonly each: number;
}

/** What a slice is given, so that its body is pure. */
export interface SliceValues {
  readonly nowMs: number;
  /** A random key, which becomes that of the tenant's digests where it has none. */
  readonly newKey: string;
}

/** A family, and the key of an entry of it. */
export type GoingKey = readonly [family: string, key: Uint8Array];

/** What a slice needs from the domains. */
export interface SlicePlan {
  readonly families: Families;
  /** How many entries go at most where one goes that doesn't prove a caller. */
  readonly goingInRest: number;
  /** Returns the keys of what goes with an entry of a tenant. */
  goingWith(family: string, tenantId: string, entry: VisitedEntry): readonly GoingKey[];
  /** Returns how many entries go where one of a family goes. */
  entriesGoingWith(family: string): number;
  /** Lets the owner of a family know that an entry goes. */
  removing(slice: Slice, family: string, key: Uint8Array): void;
  /** Whether a namespace goes with what it belongs to, although its parts don't tell. */
  includes(
    tx: ReadTx,
    namespace: Pick<Namespace, 'tenantId' | 'parts'>,
    target: StoredTarget,
  ): boolean;
}

/** The transaction of a slice, with what it has counted. */
export class Slice {
  readonly tx: WriteTx;
  readonly erasure: StoredErasure;
  readonly plan: SlicePlan;
  readonly nowMs: number;
  /** A random key, for digests of a tenant that has no such key yet. */
  readonly newKey: string;
  readonly #counts: Record<string, number>;
  readonly #marked = new Map<string, boolean>();
  #keysDigest: string;
  #dependents: number;
  #names: readonly string[];
  #left = SLICE_ENTRIES;

  constructor(
    tx: WriteTx,
    erasure: StoredErasure,
    { plan, nowMs, newKey }: SliceValues & { readonly plan: SlicePlan },
  ) {
    this.tx = tx;
    this.erasure = erasure;
    this.plan = plan;
    this.nowMs = nowMs;
    this.newKey = newKey;
    this.#counts = { ...erasure.counts };
    this.#keysDigest = erasure.keysDigest;
    this.#dependents = erasure.dependents;
    this.#names = erasure.names;
  }

  /** Whether another entry may be examined. */
  get hasRoom(): boolean {
    return this.#left > 0;
  }

  /** What was counted, to be stored with the erasure. */
  get counted(): Pick<StoredErasure, 'counts' | 'keysDigest' | 'dependents' | 'names'> {
    const [counts, keysDigest, dependents] = [this.#counts, this.#keysDigest, this.#dependents];
    return { counts, keysDigest, dependents, names: this.#names };
  }

  /** Whether this erasure removes a namespace. */
  isMarked(digest: Uint8Array): boolean {
    const name = keyText(digest);
    const known = this.#marked.get(name);
    if (known !== undefined) return known;
    const { tenantId, id } = this.erasure;
    const isMarked = isMarkedBy(this.tx, id, tenantId, digest);
    this.#marked.set(name, isMarked);
    return isMarked;
  }

  /** Takes room for more entries than a walk visits. */
  use(entries: number): void {
    this.#left = Math.max(0, this.#left - entries);
  }

  /** Removes an entry with what is derived from it, and counts them. */
  remove(family: string, entry: VisitedEntry): void {
    // It went with its source.
    if (this.tx.get(entry.key) === undefined) return;
    const { kind, tenantId, target } = this.erasure;
    const tenant = kind === 'tenant' && target?.kind === 'tenant' ? target.tenant_id : tenantId;
    for (const [derived, key] of this.plan.goingWith(family, tenant, entry)) {
      const value = this.tx.get(key);
      if (value !== undefined) this.#removeOne(derived, { key, value: copyBytes(value) });
    }
    this.#removeOne(family, entry);
  }

  #removeOne(family: string, entry: VisitedEntry): void {
    const { families } = this.plan;
    const counted = families.countingRule(families.get(family).number)?.(entry);
    this.tx.remove(entry.key);
    // What is left of a tenant goes with it.
    if (this.erasure.kind !== 'tenant') this.plan.removing(this, family, entry.key);
    // Owners take the names from `kernel/counts/`, which the store doesn't know.
    if (counted !== undefined)
      noteChange(this.tx, counted.name as CountName, -counted.by, entry.key);
    this.count(family, entry.key);
  }

  /** Counts an entry that was removed or rewritten. */
  count(family: string, key: Uint8Array): void {
    this.#counts[family] = (this.#counts[family] ?? 0) + 1;
    const hash = sha256Stream().update(this.#keysDigest).update(key);
    this.#keysDigest = hash.digestText('hex');
  }

  /** The names of the target that are known so far, those of this slice included. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Remembers a further name of the target, until the erasure is finished. */
  addName(name: string): void {
    if (!this.#names.includes(name)) this.#names = [...this.#names, name];
  }

  /** Counts a revision elsewhere that was derived from what is removed. */
  countDependent(): void {
    this.#dependents += 1;
  }

  /**
   * Visits the entries of a part from a key on. Returns where to go on, or `undefined` at the end.
   */
  walk(
    { family, tenant, prefix = [] }: WalkedPart,
    from: Uint8Array | undefined,
    visit: (entry: VisitedEntry) => void,
  ): Uint8Array | undefined {
    const { number, shape } = this.plan.families.get(family);
    const start = encodeKey(tenant, number, shape, prefix);
    const each = this.plan.entriesGoingWith(family);
    return this.#visit({ from: from ?? start, to: afterPrefix(start), each }, visit);
  }

  /** Visits the entries of a tenant, of every family, as {@link walk} does. */
  walkTenant(
    tenant: string,
    from: Uint8Array | undefined,
    visit: (entry: VisitedEntry) => void,
  ): Uint8Array | undefined {
    const start = encodeKey(tenant, 0, [], []).slice(0, -1);
    // Those of what proves callers go before.
    const each = this.plan.goingInRest;
    return this.#visit({ from: from ?? start, to: afterTenant(tenant), each }, visit);
  }

  #visit(
    { from, to, each }: VisitedRange,
    visit: (entry: VisitedEntry) => void,
  ): Uint8Array | undefined {
    const limit = Math.max(1, Math.floor(this.#left / each));
    const range = { from, to, limit };
    // Copied, because a visit reads and writes, which no open range allows.
    const entries = Array.from(this.tx.range(range), ({ key, value }) => ({
      key: copyBytes(key),
      value: copyBytes(value),
    }));
    for (const entry of entries) visit(entry);
    this.use(entries.length * each);
    const last = entries.at(-1);
    return last !== undefined && entries.length === limit ? afterKey(last.key) : undefined;
  }
}

/** Does a part of a step. Returns where it goes on, or `undefined` when the step is done. */
export type Step = (slice: Slice, from: Uint8Array | undefined) => Uint8Array | undefined;

/** Ends the slice, so that the next step begins in a transaction of its own. */
export const endSlice: Step = (slice) => {
  slice.use(Infinity);
  return undefined;
};
