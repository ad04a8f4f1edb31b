/** Opens the segment cache of a keep. */
import type { QueryCache, ScanMemory } from '../../../kernel/ports/memory-scan.js';
import { Port } from '../../../kernel/ports/port.js';
import type { Store } from '../../../storage/store/store.js';
import { scanThrough } from '../segments/scan-segments.js';
import { SegmentCache } from '../segments/segment-cache.js';
import { SegmentFollower } from './segment-follower.js';

/** Scans memory faster than from the store. */
export const openedSegments = new Port<OpenSegments>('openedSegments');

/** A scan through a cache, and the cache. */
export interface OpenSegments {
  /** Absent if nothing may be remembered of memory. */
  readonly scanMemory: ScanMemory | undefined;
  /** Instead of {@link scanMemory}, over a store that other servers change. */
  readonly segmentFollower: SegmentFollower | undefined;
  readonly queryCache: QueryCache | undefined;
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
  return { ...none, scanMemory: scanThrough(cache), queryCache: cache };
}
