/**
 * Enforces storage quotas: a meter measures in each body by how much it changes what tenants with a
 * quota store, their use changes in the transaction that changes their entries, and a transaction
 * that must keep within quotas fails if it does not.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { isKeptWithinQuota, spareKeys } from '../../kernel/counts/counts.js';
import { asBuffer, copyBytes, keyText } from '../../storage/store/bytes.js';
import { tenantEnd, tenantOfKey } from '../../storage/store/key.js';
import type { EndedRun, Participant } from '../../storage/store/participant.js';
import { LAST_POSITION } from '../../storage/store/position.js';
import type {
  CommittedWrites,
  Entry,
  KeyRange,
  Store,
  WriteTx,
} from '../../storage/store/store.js';
import { findQuota, holderKeys, putQuota, storageQuotas } from '../stored/quota-store.js';
import { addUse, exceedsQuota, type StorageUse } from './quota-policy.js';

/**
 * Returns the participant of every change. Calls `onUncounted` with tenants that were written for
 * while their use is not completely counted. `holders` saves look-ups for tenants that have no
 * quota.
 */
export function quotaParticipant(
  onUncounted: (tenantId: string) => void,
  holders?: QuotaHolders,
): Participant<void, Meter, readonly string[]> {
  return {
    view: (tx) => new Meter(tx, holders),
    settle,
    committed: (uncounted) => {
      for (const tenantId of uncounted) onUncounted(tenantId);
    },
  };
}

const NO_TENANTS: readonly string[] = [];

/**
 * Adds what a body wrote to the use of its tenants. Returns those that are not fully counted.
 *
 * @throws {AgentkeepError} `quota_exceeded`
 */
function settle({ tx, view: meter, notes }: EndedRun<Meter>): readonly string[] {
  if (meter.isIdle) return NO_TENANTS;
  const uncounted: string[] = [];
  for (const writes of meter.measured) {
    // The body itself may have changed or removed the quota.
    const quota = findQuota(tx, writes.tenantId);
    if (quota === undefined) continue;
    // Entries from `countedTo` on are still to be counted.
    let added = writes.addedBefore(quota.countedTo);
    if (exceedsQuota(quota, quota, added) && isKeptWithinQuota(notes)) {
      if (writes.removeAdded(spareKeys(notes))) added = writes.addedBefore(quota.countedTo);
      if (exceedsQuota(quota, quota, added)) throw new AgentkeepError('quota_exceeded');
    }
    if (added.entries !== 0 || added.bytes !== 0)
      putQuota(tx, { ...quota, ...addUse(quota, added) });
    if (quota.countedTo !== null) uncounted.push(writes.tenantId);
  }
  return uncounted;
}

/**
 * Most tenants that are remembered. With more, every tenant counts as one that may have a quota.
 */
const HOLDERS_MAX = 16_384;

/** The start of the key of a quota: no tenant, and the subspace. */
const PREFIX = String.fromCharCode(0, storageQuotas.number);

/** Tenants are named by the bytes of their part of keys, as text of one character per byte. */
export class QuotaHolders {
  /** `undefined` when every tenant may have a quota. */
  #tenants: Set<string> | undefined;

  /** Reads the quotas of a store. */
  static async of(store: Store): Promise<QuotaHolders> {
    const holders = new QuotaHolders();
    if (store.observe === undefined) return holders;
    store.observe({
      committed: (writes) => {
        holders.#follow(writes);
      },
      // Holders are only ever added, so nothing is out of date.
      failed: () => undefined,
    });
    const keys = await store.read((tx) => holderKeys(tx, HOLDERS_MAX + 1).map(keyText));
    if (keys.length > HOLDERS_MAX) return holders;
    holders.#tenants = new Set(keys.map(tenantIn));
    return holders;
  }

  /** Returns false only for a tenant without a quota, committed or pending. */
  mayHold(tenant: string): boolean {
    return this.#tenants === undefined || this.#tenants.has(tenant);
  }

  /** Notes a write, committed or pending, of a key that belongs to no tenant. */
  note(key: string): void {
    if (this.#tenants === undefined || !key.startsWith(PREFIX)) return;
    this.#tenants.add(tenantIn(key));
    if (this.#tenants.size > HOLDERS_MAX) this.#tenants = undefined;
  }

  #follow(writes: CommittedWrites): void {
    for (const key of writes.keys()) this.note(key);
  }
}

/** Returns the tenant in the key of a quota: the bytes between the subspace and the final zero. */
function tenantIn(key: string): string {
  return key.slice(PREFIX.length, -1);
}

/** A written entry: its size, key and value together, before and after the body. 0 means absent. */
interface Measured {
  readonly key: Uint8Array;
  readonly before: number;
  after: number;
}

/** What a body wrote for one tenant with a quota. */
export class MeasuredWrites {
  readonly tenantId: string;
  readonly #tx: WriteTx;
  readonly #entries = new Map<string, Measured>();

  constructor(tx: WriteTx, tenantId: string) {
    this.#tx = tx;
    this.tenantId = tenantId;
  }

  /** Notes a write before it is made, with the size of the value; without one, it is a removal. */
  note(given: Uint8Array, valueBytes: number | undefined): void {
    const key = this.#storedKey(given);
    const after = valueBytes === undefined ? 0 : key.length + valueBytes;
    const text = keyText(key);
    const known = this.#entries.get(text);
    if (known !== undefined) {
      known.after = after;
      return;
    }
    const value = this.#tx.get(key);
    const before = value === undefined ? 0 : key.length + value.length;
    this.#entries.set(text, { key, before, after });
  }

  /** Notes an appended entry. Its position is still unknown, but is after all stored ones. */
  noteAppended(prefix: Uint8Array, valueBytes: number): void {
    const key = Buffer.concat([prefix, LAST_POSITION]);
    const after = key.length + valueBytes;
    this.#entries.set(`appended ${this.#entries.size}`, { key, before: 0, after });
  }

  /** Removes entries that the body added for this tenant; returns whether there were any. */
  removeAdded(keys: readonly Uint8Array[]): boolean {
    let isAny = false;
    for (const given of keys) {
      const key = this.#storedKey(given);
      const known = this.#entries.get(keyText(key));
      if (known === undefined || known.after === 0) continue;
      known.after = 0;
      this.#tx.remove(key);
      isAny = true;
    }
    return isAny;
  }

  /** The key that a walk through the store finds, whose size counts. */
  #storedKey(key: Uint8Array): Uint8Array {
    return this.#tx.storedKey?.(key) ?? key;
  }

  /** Returns what was added, net, before a key; null means everywhere. */
  addedBefore(end: Uint8Array | null): StorageUse {
    let entries = 0;
    let bytes = 0;
    for (const { key, before, after } of this.#entries.values()) {
      if (end !== null && Buffer.compare(key, end) >= 0) continue;
      entries += Math.sign(after) - Math.sign(before);
      bytes += after - before;
    }
    return { entries, bytes };
  }
}

/** A transaction that measures what a body writes for tenants with a quota. */
export class Meter implements WriteTx {
  readonly #tx: WriteTx;
  readonly #holders: QuotaHolders | undefined;
  #isIdle = true;
  /** By the tenant part of keys; null for tenants without a quota. */
  readonly #tenants = new Map<string, MeasuredWrites | null>();

  /** Without `holders`, every tenant may have a quota. */
  constructor(tx: WriteTx, holders?: QuotaHolders) {
    this.#tx = tx;
    this.#holders = holders;
  }

  /** Returns the key under which an entry is stored. */
  storedKey(key: Uint8Array): Uint8Array {
    return this.#tx.storedKey?.(key) ?? key;
  }

  /** The notes of the transaction. */
  get notes(): object[] {
    return this.#tx.notes;
  }

  /** Returns the value of a key. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#tx.get(key);
  }

  /** Returns the entries of a span. */
  range(range: KeyRange): Iterable<Entry> {
    return this.#tx.range(range);
  }

  /** Stores a value. */
  put(key: Uint8Array, value: Uint8Array): void {
    const tenant = this.#measuredTenant(key);
    if (tenant === undefined) {
      this.#tx.put(key, value);
      return;
    }
    // A look-up may overwrite borrowed bytes.
    const own = { key: copyBytes(key), value: copyBytes(value) };
    this.#writesOf(tenant, own.key)?.note(own.key, value.length);
    this.#tx.put(own.key, own.value);
  }

  /** Removes a key. */
  remove(key: Uint8Array): void {
    const tenant = this.#measuredTenant(key);
    if (tenant === undefined) {
      this.#tx.remove(key);
      return;
    }
    const own = copyBytes(key);
    this.#writesOf(tenant, own)?.note(own, undefined);
    this.#tx.remove(own);
  }

  /** Stores a value after the entries with a prefix. */
  append(prefix: Uint8Array, value: Uint8Array): void {
    const tenant = this.#measuredTenant(prefix);
    if (tenant === undefined) {
      this.#tx.append(prefix, value);
      return;
    }
    const own = { prefix: copyBytes(prefix), value: copyBytes(value) };
    this.#writesOf(tenant, own.prefix)?.noteAppended(own.prefix, value.length);
    this.#tx.append(own.prefix, own.value);
  }

  /** Whether nothing was written for any tenant with a quota. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** What was written for each tenant with a quota. */
  get measured(): MeasuredWrites[] {
    return Array.from(this.#tenants.values()).filter((writes) => writes !== null);
  }

  /** Returns the tenant part of a key that is to be measured. */
  #measuredTenant(key: Uint8Array): string | undefined {
    if (key[0] === 0) {
      this.#holders?.note(keyText(key));
      return undefined;
    }
    const tenant = tenantPart(key);
    if (tenant === '' || this.#tenants.get(tenant) === null) return undefined;
    if (this.#holders?.mayHold(tenant) !== false) return tenant;
    // A quota that the body itself stores later counts nothing from before.
    this.#tenants.set(tenant, null);
    return undefined;
  }

  #writesOf(tenant: string, key: Uint8Array): MeasuredWrites | null {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) return known;
    const tenantId = tenantOfKey(key);
    const hasQuota = findQuota(this.#tx, tenantId) !== undefined;
    const writes = hasQuota ? new MeasuredWrites(this.#tx, tenantId) : null;
    if (hasQuota) this.#isIdle = false;
    this.#tenants.set(tenant, writes);
    return writes;
  }
}

/** Returns the encoded tenant of a key; empty for keys of the installation. */
function tenantPart(key: Uint8Array): string {
  return asBuffer(key).toString('latin1', 0, Math.max(0, tenantEnd(key)));
}
