/** Opens the segment cache of a keep. */
import type { QueryCache, ScanMemory } from '../../runtime/ports/memory-scan.js';
import type { Store } from '../../storage/store/store.js';
import { scanThrough } from './scan-segments.js';
import { SegmentCache } from './segment-cache.js';

/** A scan through a cache, and the cache. */
export interface OpenSegments {
  readonly scanMemory: ScanMemory | undefined;
  readonly queryCache: QueryCache | undefined;
}

/**
 * Returns a scan through a cache of at most `maxBytes`, or nothing if that is 0 or other processes
 * may change the data unseen.
 */
export function openSegments(store: Store, maxBytes: number): OpenSegments {
  if (maxBytes === 0 || store.observe === undefined) {
    return { scanMemory: undefined, queryCache: undefined };
  }
  const cache = new SegmentCache({ maxBytes });
  store.observe(cache);
  return { scanMemory: scanThrough(cache), queryCache: cache };
}
