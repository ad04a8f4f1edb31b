/**
 * Scans a namespace from its last record back, through the segment cache, and through the store
 * where it has gaps. A position is the id text of the last entry that may still be examined,
 * whether it exists or not.
 */
import { QUERY_SLICE_BYTES } from '../../../contract/limits.js';
import type { ScannedPart, ScanPart } from '../../../kernel/ports/memory-scan.js';
import { copyBytes } from '../../../storage/store/bytes.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { scanStored } from '../record/scan-memory.js';
import type { StoredSearchEntry } from '../record/search-entry.js';
import { fillGap } from './fill-gap.js';
import { SegmentScan } from './segment-scan.js';
import { passSegment, searchBackward } from './segment-search.js';
import { AFTER_ALL, BEFORE_ALL, idAfter, idBefore, idTextOf, uuidOf } from './columns/id-text.js';
import type { NamespaceSegments } from './namespace-segments.js';
import type { CacheKey, SegmentCache } from './segment-cache.js';

/** The part of a gap that one read covers. */
interface Gap {
  readonly from: string;
  /** Where the segment below the gap ends. */
  readonly downTo: string;
}

/** Scans like {@link scanStored} with descending ids. Caches the entries that it reads. */
export function scanBackward(
  cache: SegmentCache,
  cacheKey: CacheKey,
  tx: ReadTx,
  part: ScanPart,
): ScannedPart {
  const held = cache.use(cacheKey);
  const scan = new SegmentScan(part, cache.takerFor(cacheKey));
  const learn = cache.learnerAt(cacheKey);
  const start = part.after === undefined ? AFTER_ALL : idBefore(idTextOf(part.after));
  const from = cache.search(cacheKey, (segments) => searchHeld(segments, scan, start)) ?? start;
  const { matches, examined, last, work, leftOut } = scan;
  const isCut = scan.isFull || work >= QUERY_SLICE_BYTES;
  if (last !== undefined || from === BEFORE_ALL || isCut) {
    cache.hits += 1;
    const reached = from === BEFORE_ALL ? undefined : uuidOf(idAfter(from));
    return { matches, examined, cached: examined, leftOut, last: last ?? reached, learn };
  }
  cache.misses += 1;
  const downTo = held?.lastThroughBefore(from) ?? BEFORE_ALL;
  if (scan.isByIndex && cache.hasRoom(cacheKey)) {
    const gap = { after: downTo, through: from };
    return { ...fillGap(tx, part, gap, { scan, cache, cacheKey }), learn };
  }
  const gap = { from, downTo };
  return { ...scan.followedBy(scanGap(tx, part, { cache, cacheKey, scan, gap })), learn };
}

/** Searches until a gap, a bound, or the work of one slice. Returns where it ended. */
function searchHeld(held: NamespaceSegments, scan: SegmentScan, start: string): string {
  let position = start;
  for (const segment of held.backFrom(start)) {
    if (!scan.isFull) {
      held.search(segment, () => {
        searchBackward(segment, scan, segment.countThrough(position));
      });
    }
    if (scan.isFull && !passSegment(segment, scan)) break;
    position = segment.after;
    if (scan.work >= QUERY_SLICE_BYTES) break;
  }
  return position;
}

/** Reads a gap from the store, and remembers it if there is room. */
function scanGap(
  tx: ReadTx,
  part: ScanPart,
  found: {
    readonly cache: SegmentCache;
    readonly cacheKey: CacheKey;
    readonly scan: SegmentScan;
    readonly gap: Gap;
  },
): ScannedPart {
  const { cache, cacheKey, scan, gap } = found;
  const { builder, changes } = cache;
  const isRemembered = cache.hasRoom(cacheKey);
  const entries: { readonly entry: StoredSearchEntry; readonly key: Uint8Array }[] = [];
  const visited = (entry: StoredSearchEntry, key: Uint8Array): void => {
    entries.push({ entry: entry.copied(), key: copyBytes(key) });
  };
  const scanned = scanStored(tx, {
    ...part,
    after: gap.from === AFTER_ALL ? undefined : uuidOf(idAfter(gap.from)),
    through: gap.downTo === BEFORE_ALL ? undefined : uuidOf(gap.downTo),
    entries: isRemembered ? scan.rememberedEntries : scan.entriesLeft,
    records: scan.recordsLeft,
    ...(isRemembered ? { visited } : {}),
  });
  const isWhole = scanned.last === undefined;
  const isMore = isWhole && gap.downTo !== BEFORE_ALL;
  const last = isMore ? uuidOf(idAfter(gap.downTo)) : scanned.last;
  if (!isRemembered) return { ...scanned, last };
  builder.begin(isWhole ? gap.downTo : idBefore(idTextOf(scanned.last)));
  for (const { entry, key } of entries.toReversed()) builder.add(entry, key);
  const segments = builder.finish(gap.from);
  return { ...scanned, last, remember: () => cache.keep(cacheKey, segments, changes) };
}
