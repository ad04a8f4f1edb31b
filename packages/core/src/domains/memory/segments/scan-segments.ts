/** Scans a namespace through the segment cache, and through the store where it has gaps. */
import { QUERY_SLICE_BYTES } from '../../../contract/limits.js';
import type { ScanMemory, ScannedPart, ScanPart } from '../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { scanStored } from '../record/scan-memory.js';
import { fillGap } from './fill-gap.js';
import { SegmentScan } from './segment-scan.js';
import { passSegment, searchForward } from './segment-search.js';
import { AFTER_ALL, BEFORE_ALL, idTextOf, uuidOf } from './columns/id-text.js';
import type { NamespaceSegments } from './namespace-segments.js';
import { scanBackward } from './scan-backward.js';
import { type CacheKey, cacheKeyOf, type SegmentCache } from './segment-cache.js';

/**
 * Returns a scan that finds the same as {@link scanStored}, and caches the entries that it reads.
 * The cache must observe the commits of the store.
 */
export function scanThrough(cache: SegmentCache): ScanMemory {
  return (tx, part) => {
    const cacheKey = cacheKeyOf(part.namespace);
    if (part.isBackward === true) return scanBackward(cache, cacheKey, tx, part);
    const held = cache.use(cacheKey);
    const scan = new SegmentScan(part, cache.takerFor(cacheKey));
    const learn = cache.learnerAt(cacheKey);
    const start = part.after === undefined ? BEFORE_ALL : idTextOf(part.after);
    const end = cache.search(cacheKey, (segments) => searchHeld(segments, scan, start)) ?? start;
    const { matches, examined, last, work, leftOut } = scan;
    const isCut = scan.isFull || work >= QUERY_SLICE_BYTES;
    if (last !== undefined || end === AFTER_ALL || isCut) {
      cache.hits += 1;
      const reached = end === AFTER_ALL ? undefined : uuidOf(end);
      return { matches, examined, cached: examined, leftOut, last: last ?? reached, learn };
    }
    cache.misses += 1;
    const before = held?.nextAfter(end);
    if (scan.isByIndex && cache.hasRoom(cacheKey)) {
      const gap = { after: end, through: before ?? AFTER_ALL };
      return { ...fillGap(tx, part, gap, { scan, cache, cacheKey }), learn };
    }
    const gap = { after: end, before };
    return { ...scan.followedBy(scanGap(tx, part, { scan, cache, cacheKey, gap })), learn };
  };
}

/** Searches until a gap, a bound, or the work of one slice. Returns the id text of its end. */
function searchHeld(held: NamespaceSegments, scan: SegmentScan, start: string): string {
  let position = start;
  for (const segment of held.from(start)) {
    if (!scan.isFull) {
      held.search(segment, () => {
        searchForward(segment, scan, segment.countThrough(position));
      });
    }
    if (scan.isFull && !passSegment(segment, scan)) break;
    position = segment.through;
    if (scan.work >= QUERY_SLICE_BYTES) break;
  }
  return position;
}

/** Reads a gap from the store, and remembers it if there is room. */
function scanGap(
  tx: ReadTx,
  part: ScanPart,
  found: {
    readonly scan: SegmentScan;
    readonly cache: SegmentCache;
    readonly cacheKey: CacheKey;
    /** Id texts where the gap starts and ends. */
    readonly gap: { readonly after: string; readonly before: string | undefined };
  },
): ScannedPart {
  const { scan, cache, cacheKey, gap } = found;
  const { builder, changes } = cache;
  const isRemembered = cache.hasRoom(cacheKey);
  builder.begin(gap.after);
  const scanned = scanStored(tx, {
    ...part,
    after: gap.after === BEFORE_ALL ? undefined : uuidOf(gap.after),
    through: gap.before === undefined ? undefined : uuidOf(gap.before),
    entries: isRemembered ? scan.rememberedEntries : scan.entriesLeft,
    records: scan.recordsLeft,
    ...(isRemembered ? { visited: builder.add } : {}),
  });
  const isWhole = scanned.last === undefined;
  const last = isWhole && gap.before !== undefined ? uuidOf(gap.before) : scanned.last;
  if (!isRemembered) return { ...scanned, last };
  const segments = builder.finish(isWhole ? (gap.before ?? AFTER_ALL) : idTextOf(scanned.last));
  return { ...scanned, last, remember: () => cache.keep(cacheKey, segments, changes) };
}
