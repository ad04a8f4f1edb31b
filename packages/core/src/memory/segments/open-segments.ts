/** Opens the segment cache of a keep. */
import type { ScanMemory } from '../../runtime/ports/memory-scan.js';
import type { Store } from '../../storage/store/store.js';
import { scanThrough } from './scan-segments.js';
import { SegmentCache } from './segment-cache.js';

/**
 * Returns a scan through a cache of at most `maxBytes`, or `undefined` if that is 0 or other
 * processes may change the data unseen.
 */
export function openSegments(store: Store, maxBytes: number): ScanMemory | undefined {
  if (maxBytes === 0 || store.observe === undefined) return undefined;
  const cache = new SegmentCache({ maxBytes });
  store.observe(cache);
  return scanThrough(cache);
}
