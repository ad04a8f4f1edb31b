/**
 * Keeps the segments of a store that other servers change in step with it. A read first looks into
 * the journal: it uses the segments of a namespace if they have all changes that it sees, and no
 * others. Otherwise they are patched with the entries as they are now, and the read begins again.
 */
import { BoundedMap } from '../../../contract/bounded-map.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type {
  FollowedNamespace,
  OpenedNamespace,
  ScanMemory,
  SegmentFollowing,
} from '../../../kernel/ports/memory-scan.js';
import { keyText } from '../../../storage/store/bytes.js';
import { LAST_POSITION } from '../../../storage/store/position.js';
import type { CommittedWrites, SnapshotTx } from '../../../storage/store/store.js';
import { changesBetween, floorOf } from '../journal/change-store.js';
import { writtenEntry } from '../record/memory-store.js';
import { removalsOf } from '../../../kernel/erased/removal-store.js';
import { scanStored } from '../record/scan-memory.js';
import { scanThrough } from '../segments/scan-segments.js';
import { type CacheKey, cacheKeyOf, type SegmentCache } from '../segments/segment-cache.js';

/** Changes of the tenant that one read follows. With more, the store is read instead. */
const FOLLOWED_AT_ONCE = 256;
/** Changes after which a read need not look at them again. */
const PASSED_AT_ONCE = 64;
/** Namespaces, and tenants, that are followed. */
const FOLLOWED_MAX = 4_096;
/** Times that one call patches segments before it reads the store instead. */
const TRIES_MAX = 3;

const NONE: ReadonlySet<string> = new Set();

/** Which changes the segments of a namespace have. */
interface Followed {
  /** The same as long as they have the same ones. */
  readonly content: object;
  /** They have all changes before this position. */
  readonly upTo: Uint8Array;
  /** The positions, as texts, of those from there on that they have. */
  readonly later: ReadonlySet<string>;
  /** See {@link removalsOf}. */
  readonly removals: string;
}

/** What a read found out about the segments of a namespace. */
type Found =
  /** They have what the read sees. */
  | { readonly is: 'same'; readonly followed: Followed }
  /** The read sees less than they have, or is a rehearsal that sees nothing yet. */
  | { readonly is: 'older' }
  | {
      readonly is: 'newer';
      readonly followed: Followed;
      readonly entries: CommittedWrites;
    }
  /** It takes less to read the store than to follow. */
  | { readonly is: 'lost'; readonly horizon: Uint8Array };

/** Follows the journals of all tenants whose memory is searched. */
export class SegmentFollower implements SegmentFollowing {
  /** Scans segments, which must have what the read sees. */
  readonly scan: ScanMemory;
  readonly #cache: SegmentCache;
  /** By name, the least recently changed first. */
  readonly #followed = new BoundedMap<string, Followed>({
    max: FOLLOWED_MAX,
    onDropped: (name) => {
      this.#cache.forget(name);
    },
  });
  /** From where new namespaces of a tenant are followed. */
  readonly #starts = new BoundedMap<string, Uint8Array>({ max: FOLLOWED_MAX });

  constructor(cache: SegmentCache) {
    this.#cache = cache;
    this.scan = scanThrough(cache);
  }

  /** Returns the namespace for the reads of one call. */
  follow(namespace: Namespace): FollowedNamespace {
    return new FollowedSegments(this, namespace);
  }

  /** Returns what is known of the segments of a namespace. */
  known(name: string): Followed | undefined {
    return this.#followed.get(name);
  }

  /** Finds out what segments lack of what a read sees. */
  find(tx: SnapshotTx, namespace: Namespace, known: Followed | undefined): Found {
    const { tenantId, digest } = namespace;
    const horizon = Uint8Array.from(tx.horizon());
    const from = known?.upTo ?? this.#starts.get(tenantId);
    if (from === undefined) return { is: 'lost', horizon };
    const changes = changesBetween(tx, tenantId, {
      from,
      to: LAST_POSITION,
      limit: FOLLOWED_AT_ONCE,
    });
    const floor = floorOf(tx, tenantId);
    const removals = removalsOf(tx, namespace);
    if (Buffer.compare(horizon, from) < 0) return { is: 'older' };
    const isCut = floor !== undefined && Buffer.compare(floor, from) >= 0;
    const isRemoved = known !== undefined && known.removals !== removals;
    if (changes.length === FOLLOWED_AT_ONCE || isCut || isRemoved) return { is: 'lost', horizon };
    const name = keyText(digest);
    const own = changes.filter((change) => keyText(change.digest) === name);
    const seen = new Set(own.map(({ position }) => keyText(position)));
    const later = known?.later ?? NONE;
    if (![...later].every((position) => seen.has(position))) return { is: 'older' };
    const settled = keyText(horizon);
    const ahead = new Set([...seen].filter((position) => position >= settled));
    const passed = { content: known?.content ?? {}, upTo: horizon, later: ahead, removals };
    const missing = own.filter(({ position }) => !later.has(keyText(position)));
    if (known === undefined || missing.length === 0) {
      const followed = known !== undefined && changes.length < PASSED_AT_ONCE ? known : passed;
      return { is: 'same', followed };
    }
    const ids = new Set(missing.map(({ recordId }) => recordId));
    const entries = new Map(Array.from(ids, (recordId) => writtenEntry(tx, namespace, recordId)));
    return { is: 'newer', followed: { ...passed, content: {} }, entries };
  }

  /** Takes over what a read found, once it is over, unless another one did meanwhile. */
  adopt(cacheKey: CacheKey, known: Followed | undefined, found: Found): void {
    const { name } = cacheKey;
    if (found.is === 'older' || this.#followed.get(name) !== known) return;
    if (found.is === 'lost') {
      this.#forget(cacheKey);
      this.#starts.set(cacheKey.tenantId, found.horizon);
      return;
    }
    if (found.is === 'newer') this.#cache.committed(found.entries);
    if (found.followed === known) return;
    this.#followed.set(name, found.followed);
  }

  #forget({ name }: CacheKey): void {
    this.#followed.delete(name);
    this.#cache.forget(name);
  }
}

/** A namespace during one call. It is open while the body of a read runs. */
class FollowedSegments implements FollowedNamespace {
  readonly #follower: SegmentFollower;
  readonly #namespace: Namespace;
  readonly #cacheKey: CacheKey;
  #isHeld = false;
  #content: object | undefined;
  #tries = 0;

  constructor(follower: SegmentFollower, namespace: Namespace) {
    this.#follower = follower;
    this.#namespace = namespace;
    this.#cacheKey = cacheKeyOf(namespace);
  }

  /** Opens it for a body that is about to run. */
  open(tx: SnapshotTx): OpenedNamespace {
    const { name } = this.#cacheKey;
    const known = this.#follower.known(name);
    const found = this.#follower.find(tx, this.#namespace, known);
    const isLast = this.#tries >= TRIES_MAX;
    const isRehearsed = found.is === 'older' && known !== undefined && !isLast;
    this.#isHeld = found.is === 'same' || isRehearsed;
    this.#content = found.is === 'same' ? found.followed.content : undefined;
    return {
      isWhole: found.is === 'same' || found.is === 'lost' || isLast,
      isRehearsed,
      adopt: () => {
        if (found.is === 'older' || found.is === 'newer') this.#tries += 1;
        this.#follower.adopt(this.#cacheKey, known, found);
      },
    };
  }

  /** Scans its segments, or the store where these are not what the read sees. */
  readonly scan: ScanMemory = (tx, part) => {
    if (!this.#isHeld) return scanStored(tx, part);
    const content = this.#content;
    const { remember, ...scanned } = this.#follower.scan(tx, part);
    return {
      ...scanned,
      // Embeddings and other facts change without a change of the journal.
      learn: undefined,
      remember:
        remember &&
        (() => {
          if (this.#follower.known(this.#cacheKey.name)?.content === content) remember();
        }),
    };
  };
}
