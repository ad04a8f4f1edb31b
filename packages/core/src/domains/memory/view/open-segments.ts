/** Opens the segment cache of a keep. */
import type { QueryCache, ScanMemory } from '../../../kernel/ports/memory-scan.js';
import type { Store } from '../../../storage/store/store.js';
import { scanThrough } from '../segments/scan-segments.js';
import { SegmentCache } from '../segments/segment-cache.js';
import { SegmentFollower } from './segment-follower.js';

/** A scan through a cache, and the cache. */
export interface OpenSegments {
  readonly scanMemory: ScanMemory | undefined;
  /** Instead of {@link scanMemory}, over a store that other servers change. */
  readonly segmentFollower: SegmentFollower | undefined;
  readonly queryCache: QueryCache | undefined;
}

/** Returns a cache of at most `maxBytes`, and what scans through it; nothing if that is 0. */
export function openSegments(store: Store, maxBytes: number): OpenSegments {
  const none = { scanMemory: undefined, segmentFollower: undefined, queryCache: undefined };
  if (maxBytes === 0) return none;
  const cache = new SegmentCache({ maxBytes });
  if (store.isShared) {
    return { ...none, segmentFollower: new SegmentFollower(cache), queryCache: cache };
  }
  if (store.observe === undefined) return none;
  store.observe(cache);
  return { ...none, scanMemory: scanThrough(cache), queryCache: cache };
}
