/** Keeps open views and segments. */
import { BoundedMap } from '../../../contract/bounded-map.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { HeldTexts, QueryCache, ScanMemory } from '../../../kernel/ports/memory-scan.js';
import { Port } from '../../../kernel/ports/port.js';
import type { Store } from '../../../storage/store/store.js';
import { scanThrough } from '../segments/scan-segments.js';
import { SegmentCache } from '../segments/segment-cache.js';
import type { MemoryView } from './memory-view.js';
import { SegmentFollower } from './segment-follower.js';

/** States of memory at earlier positions. */
export const heldViews = new Port<ViewCache>('heldViews');

/** Memory that views take between calls. */
export const VIEW_CACHE_BYTES = 67_108_864;

/** Other names of views; the oldest ones are forgotten. */
const ALIASES_MAX = 1_024;

/** Holds views up to a bound of their memory in all. */
export class ViewCache {
  readonly #maxBytes: number;
  readonly #aliases = new BoundedMap<string, string>({ max: ALIASES_MAX });
  readonly #views = new Map<string, MemoryView>();
  #newest = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the view of a name or alias, and marks it as the most recently used. */
  find(called: string): MemoryView | undefined {
    const name = this.#aliases.get(called) ?? called;
    const view = this.#views.get(name);
    if (view === undefined || name === this.#newest) return view;
    this.#views.delete(name);
    this.#views.set(name, view);
    this.#newest = name;
    return view;
  }

  /** Drops all views, because what they show was erased. */
  clear(): void {
    this.#aliases.clear();
    this.#views.clear();
  }

  /**
   * Holds a view, also under an alias, and drops others until all fit; one that is too large alone
   * is not held.
   */
  hold(name: string, alias: string, view: MemoryView): void {
    if (alias !== name) this.#aliases.set(alias, name);
    this.#views.delete(name);
    this.#views.set(name, view);
    this.#newest = name;
    // Views grow while they are held, so they are added up.
    let bytes = 0;
    for (const each of this.#views.values()) bytes += each.bytes;
    for (const [other, each] of this.#views) {
      if (bytes <= this.#maxBytes) return;
      this.#views.delete(other);
      bytes -= each.bytes;
    }
  }
}

/** Scans memory faster than from the store. */
export const openedSegments = new Port<OpenSegments>('openedSegments');

/** A scan through a cache, and the cache. */
interface OpenSegments {
  /** Absent if nothing may be remembered of memory. */
  readonly scanMemory: ScanMemory | undefined;
  /** Instead of {@link scanMemory}, over a store that other servers change. */
  readonly segmentFollower: SegmentFollower | undefined;
  readonly queryCache: QueryCache | undefined;
  /** Returns the long texts of a namespace; absent over a store that other servers change. */
  readonly textsOf?: ((namespace: Namespace) => HeldTexts) | undefined;
}

/** What a cache follows. */
interface SegmentParts {
  readonly store: Pick<Store, 'isShared'>;
  readonly backend: Pick<Store, 'observe'>;
}

/** Returns a cache of at most `maxBytes`, and what scans through it; nothing if that is 0. */
export function openSegments({ store, backend }: SegmentParts, maxBytes: number): OpenSegments {
  const none = { scanMemory: undefined, segmentFollower: undefined, queryCache: undefined };
  if (maxBytes === 0) return none;
  const cache = new SegmentCache({ maxBytes });
  if (store.isShared) {
    return { ...none, segmentFollower: new SegmentFollower(cache), queryCache: cache };
  }
  if (backend.observe === undefined) return none;
  backend.observe(cache);
  return {
    ...none,
    scanMemory: scanThrough(cache),
    queryCache: cache,
    textsOf: (namespace) => cache.textsOf(namespace),
  };
}
