/** Scans a namespace through the segment cache, and through the store where it has gaps. */
import { QUERY_SLICE_BYTES } from '../../contract/limits.js';
import type { ScanMemory, ScannedPart, ScanPart } from '../../runtime/ports/memory-scan.js';
import type { ReadTx } from '../../storage/store/store.js';
import { entriesName } from '../record/memory-store.js';
import { scanStored } from '../record/scan-memory.js';
import { Hunt } from './hunt.js';
import { AFTER_ALL, BEFORE_ALL, idTextOf, uuidOf } from './id-text.js';
import type { NamespaceSegments } from './namespace-segments.js';
import { scanBackward } from './scan-backward.js';
import type { CachePlace, SegmentCache } from './segment-cache.js';

/**
 * Returns a scan that finds what {@link scanStored} finds, and remembers what it had to read. It is
 * right only for a store whose commits the cache observes.
 */
export function scanThrough(cache: SegmentCache): ScanMemory {
  return (tx, part) => {
    const { namespace } = part;
    const place = { tenantId: namespace.tenantId, name: entriesName(namespace) };
    if (part.isBackward === true) return scanBackward(cache, place, tx, part);
    const held = cache.use(place);
    const hunt = new Hunt(part);
    const learn = cache.learnerAt(place);
    const start = part.after === undefined ? BEFORE_ALL : idTextOf(part.after);
    const end = held === undefined ? start : searchHeld(held, hunt, start);
    const { matches, examined, last, work, leftOut } = hunt;
    const isCut = work >= QUERY_SLICE_BYTES;
    if (last !== undefined || end === AFTER_ALL || isCut) {
      cache.hits += 1;
      const reached = end === AFTER_ALL ? undefined : uuidOf(end);
      return { matches, examined, cached: examined, leftOut, last: last ?? reached, learn };
    }
    cache.misses += 1;
    const gap = { after: end, before: held?.nextAfter(end) };
    return { ...hunt.followedBy(scanGap(tx, part, { hunt, cache, place, gap })), learn };
  };
}

/** Searches until a gap, a bound, or the work of one slice. Returns the id text of its end. */
function searchHeld(held: NamespaceSegments, hunt: Hunt, start: string): string {
  let position = start;
  for (const segment of held.from(start)) {
    segment.search(hunt, segment.countThrough(position));
    position = segment.through;
    if (hunt.last !== undefined || hunt.work >= QUERY_SLICE_BYTES) break;
  }
  return position;
}

/** Reads a gap from the store, and remembers it if there is room. */
function scanGap(
  tx: ReadTx,
  part: ScanPart,
  found: {
    readonly hunt: Hunt;
    readonly cache: SegmentCache;
    readonly place: CachePlace;
    /** Id texts of the ends of the segments beside the gap. */
    readonly gap: { readonly after: string; readonly before: string | undefined };
  },
): ScannedPart {
  const { hunt, cache, place, gap } = found;
  const { builder, changes } = cache;
  const isRemembered = cache.hasRoom(place);
  builder.begin(gap.after);
  const scanned = scanStored(tx, {
    ...part,
    after: gap.after === BEFORE_ALL ? undefined : uuidOf(gap.after),
    through: gap.before === undefined ? undefined : uuidOf(gap.before),
    entries: isRemembered ? hunt.rememberedEntries : hunt.entriesLeft,
    records: hunt.recordsLeft,
    ...(isRemembered ? { visited: builder.add } : {}),
  });
  const isWhole = scanned.last === undefined;
  const last = isWhole && gap.before !== undefined ? uuidOf(gap.before) : scanned.last;
  if (!isRemembered) return { ...scanned, last };
  const segments = builder.finish(isWhole ? (gap.before ?? AFTER_ALL) : idTextOf(scanned.last));
  return { ...scanned, last, remember: () => cache.keep(place, segments, changes) };
}
