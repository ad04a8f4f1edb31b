/**
 * The segment cache of a keep: searchable copies of search entries, bounded in memory, fed by
 * scans and kept right by the commits of the store.
 *
 * Decides which tenant gives up memory of the cache. It is always the one with the most, so a
 * tenant that takes less than an equal share of the whole loses nothing to the others.
 *
 * The rows `query of 10,000 with cache` and `without cache` show what it wins: eight times the rate.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { HeldTexts, QueryCache, RecordFacts } from '../../../kernel/ports/memory-scan.js';
import { keyText } from '../../../storage/store/bytes.js';
import { encodeKey } from '../../../storage/store/key.js';
import type { CommitObserver, CommittedWrites } from '../../../storage/store/store.js';
import { memoryRecords, memoryScan } from '../record/memory-store.js';
import { idTextOf } from './columns/id-text.js';
import { NAMESPACE_BYTES, NamespaceSegments, type WrittenEntry } from './namespace-segments.js';
import { SegmentBuilder, type SegmentLimits } from './segment-builder.js';
import { type Segment, SEGMENT_BYTES } from './segment.js';

/** What one tenant has in the cache. */
interface TenantShare {
  bytes: number;
  /** By name, the least recently used first. */
  readonly namespaces: Map<string, NamespaceSegments>;
}

/** Identifies a namespace in the cache. */
export interface CacheKey {
  readonly tenantId: string;
  /** What the keys of the search entries of the namespace start with, as {@link keyText}. */
  readonly name: string;
}

/** Returns the key of a namespace in the cache. */
export function cacheKeyOf({ tenantId, digest }: Namespace): CacheKey {
  const prefix = encodeKey(tenantId, memoryScan.number, memoryScan.shape, [digest]);
  return { tenantId, name: keyText(prefix) };
}

/** How much a cache holds. */
interface SegmentCacheOptions {
  /** Most memory, in bytes. */
  readonly maxBytes: number;
  readonly limits?: SegmentLimits;
}

/** Holds segments of all namespaces. */
export class SegmentCache implements CommitObserver, QueryCache {
  readonly maxBytes: number;
  readonly #spareBytes: number;
  readonly builder: SegmentBuilder;
  readonly #shares = new Map<string, TenantShare>();
  /** The tenant of each cached namespace, by name. */
  readonly #tenants = new Map<string, string>();
  #bytes = 0;
  #changes = 0;
  /** Counted by the scans. */
  hits = 0;
  misses = 0;

  constructor({ maxBytes, limits }: SegmentCacheOptions) {
    this.maxBytes = maxBytes;
    this.#spareBytes = Math.min(maxBytes, SEGMENT_BYTES);
    this.builder = new SegmentBuilder(limits);
  }

  /** Memory that is taken, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of the commits that changed entries so far. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the segments of a namespace and marks it as the most recently used of its tenant. */
  use({ tenantId, name }: CacheKey): NamespaceSegments | undefined {
    const namespaces = this.#shares.get(tenantId)?.namespaces;
    const held = namespaces?.get(name);
    if (held === undefined) return undefined;
    namespaces?.delete(name);
    namespaces?.set(name, held);
    return held;
  }

  /** Returns whether there is room for more of a namespace, by evicting others if necessary. */
  hasRoom({ tenantId, name }: CacheKey): boolean {
    if (this.#bytes + this.#spareBytes <= this.maxBytes) return true;
    const share = this.#shares.get(tenantId) ?? newShare();
    return this.#victimOf(share, name, this.#spareBytes) !== undefined;
  }

  /** Holds segments that a read found while {@link changes} had this value. */
  keep(cacheKey: CacheKey, segments: readonly Segment[], changes: number): void {
    if (changes !== this.#changes) return;
    for (const segment of segments) {
      if (!this.#makeRoom(cacheKey, segment.bytes + NAMESPACE_BYTES)) return;
      this.#change(cacheKey, (held) => {
        held.add(segment, this.builder);
      });
    }
    // The signature of joined segments may be larger than theirs.
    this.#trim(cacheKey);
  }

  /** Drops segments of others until the cache fits its memory, or else of this namespace. */
  #trim(cacheKey: CacheKey): void {
    while (this.#bytes > this.maxBytes && !this.#makeRoom(cacheKey, 0)) {
      this.#change(cacheKey, (held) => {
        held.dropLast();
      });
    }
  }

  /** Searches the segments of a namespace, which may make indexes; `undefined` if none are held. */
  search<T>(cacheKey: CacheKey, search: (held: NamespaceSegments) => T): T | undefined {
    if (!this.#tenants.has(cacheKey.name)) return undefined;
    let found: T | undefined;
    this.#change(cacheKey, (held) => {
      found = search(held);
    });
    return found;
  }

  /** Returns a function that takes memory for one search; it returns whether there is any left. */
  takerFor(cacheKey: CacheKey): (bytes: number) => boolean {
    let taken = 0;
    return (bytes) => {
      const isLeft = this.#makeRoom(cacheKey, taken + bytes);
      if (isLeft) taken += bytes;
      return isLeft;
    };
  }

  /** Returns the long texts of a namespace. */
  textsOf(namespace: Namespace): HeldTexts {
    const cacheKey = cacheKeyOf(namespace);
    return {
      find: (recordId) => {
        const idText = idTextOf(recordId);
        return this.use(cacheKey)?.holding(idText)?.textOf(idText);
      },
      learner: () => this.learnerAt(cacheKey),
    };
  }

  /** Returns a function that learns facts of records, unless a commit changes any before. */
  learnerAt(cacheKey: CacheKey): (facts: readonly RecordFacts[]) => void {
    const changes = this.#changes;
    return (facts) => {
      if (changes === this.#changes) this.#learn(cacheKey, facts);
    };
  }

  #learn(cacheKey: CacheKey, facts: readonly RecordFacts[]): void {
    for (const each of facts) {
      const bytes = this.use(cacheKey)?.bytesToLearn(each);
      if (bytes === undefined || !this.#makeRoom(cacheKey, bytes)) return;
      this.#change(cacheKey, (held) => {
        held.learn(each);
      });
    }
  }

  /** Updates segments with the entries of a commit. Forgets facts of the records that it wrote. */
  committed(writes: CommittedWrites): void {
    const writtenIn = new Map<string, WrittenEntry[]>();
    for (const key of writes.keys()) {
      const idAt = idInEntryKey(key);
      if (idAt === -1) {
        this.#writtenRecord(key);
        continue;
      }
      this.#changes += 1;
      const name = key.slice(0, idAt);
      if (!this.#tenants.has(name)) continue;
      const written = writtenIn.get(name) ?? [];
      written.push({ idText: key.slice(idAt), key, value: writes.get(key) });
      writtenIn.set(name, written);
    }
    for (const [name, written] of writtenIn) this.#written(name, written);
  }

  #written(name: string, written: WrittenEntry[]): void {
    const tenantId = this.#tenants.get(name);
    if (tenantId === undefined) return;
    written.sort((one, other) => (one.idText < other.idText ? -1 : 1));
    this.#change({ tenantId, name }, (held) => {
      held.written(written, this.builder);
    });
    this.#trim({ tenantId, name });
  }

  /** Forgets facts of a record, which may be written without its search entry. */
  #writtenRecord(key: string): void {
    const idAt = idInRecordKey(key);
    if (idAt === -1) return;
    this.#changes += 1;
    const name = nameOfRecord(key);
    const tenantId = this.#tenants.get(name);
    if (tenantId === undefined) return;
    this.#change({ tenantId, name }, (held) => {
      held.forgetFacts(key.slice(idAt));
    });
  }

  /** Forgets the segments of a namespace. */
  forget(name: string): void {
    this.#changes += 1;
    const tenantId = this.#tenants.get(name);
    if (tenantId === undefined) return;
    this.#change({ tenantId, name }, (held) => {
      held.clear();
    });
  }

  /** Forgets everything. */
  failed(): void {
    this.#changes += 1;
    this.#bytes = 0;
    this.#shares.clear();
    this.#tenants.clear();
  }

  /** Makes room by dropping segments. Returns whether there is enough. */
  #makeRoom({ tenantId, name }: CacheKey, bytes: number): boolean {
    while (this.#bytes + bytes > this.maxBytes) {
      const victim = this.#victimOf(this.#shares.get(tenantId) ?? newShare(), name, bytes);
      if (victim === undefined) return false;
      this.#change(victim, (held) => {
        held.dropLast();
      });
    }
    return true;
  }

  /** Returns the namespace that gives up a segment for another one; never that one itself. */
  #victimOf(asking: TenantShare, name: string, bytes: number): CacheKey | undefined {
    const share = shareToReduce(this.#shares.values(), asking, bytes);
    for (const other of share.namespaces.keys()) {
      const tenantId = this.#tenants.get(other);
      if (other !== name && tenantId !== undefined) return { tenantId, name: other };
    }
    return undefined;
  }

  /** Changes the segments of a namespace and updates the memory totals. */
  #change({ tenantId, name }: CacheKey, change: (held: NamespaceSegments) => void): void {
    const share = this.#shares.get(tenantId) ?? newShare();
    const known = share.namespaces.get(name);
    const held = known ?? new NamespaceSegments();
    const before = known?.bytes ?? 0;
    change(held);
    const after = held.isEmpty ? 0 : held.bytes;
    share.bytes += after - before;
    this.#bytes += after - before;
    if (held.isEmpty) {
      share.namespaces.delete(name);
      this.#tenants.delete(name);
    } else if (known === undefined) {
      share.namespaces.set(name, held);
      this.#tenants.set(name, tenantId);
    }
    if (share.namespaces.size === 0) this.#shares.delete(tenantId);
    else this.#shares.set(tenantId, share);
  }
}

const UUID_BYTES = 16;
const DIGEST_BYTES = 32;

/** Returns where the record id starts in a written key if a search entry may be under it, or -1. */
function idInEntryKey(key: string): number {
  const idAt = key.length - UUID_BYTES;
  return key.charCodeAt(idAt - DIGEST_BYTES - 1) === memoryScan.number ? idAt : -1;
}

/** Returns where the record id starts in a written key if a record may be under it, or -1. */
function idInRecordKey(key: string): number {
  const idAt = key.length - UUID_BYTES;
  return key.charCodeAt(idAt - DIGEST_BYTES - 1) === memoryRecords.number ? idAt : -1;
}

/** Returns the name in the cache of the namespace of a record's key. */
function nameOfRecord(key: string): string {
  const digestAt = key.length - UUID_BYTES - DIGEST_BYTES;
  const number = String.fromCharCode(memoryScan.number);
  return key.slice(0, digestAt - 1) + number + key.slice(digestAt, -UUID_BYTES);
}

function newShare(): TenantShare {
  return { bytes: 0, namespaces: new Map() };
}

/** What a tenant has in the cache. */
interface Share {
  readonly bytes: number;
}

/**
 * Returns the share that gives up memory so that `asking` can grow by some bytes. It is `asking`
 * itself if it would have as much as any other.
 */
function shareToReduce<S extends Share>(shares: Iterable<S>, asking: S, bytes: number): S {
  let largest = asking;
  let most = asking.bytes + bytes;
  for (const share of shares) {
    if (share === asking || share.bytes <= most) continue;
    largest = share;
    most = share.bytes;
  }
  return largest;
}
