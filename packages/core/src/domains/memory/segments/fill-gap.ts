/** Reads the entries of a gap into segments, and searches them there. */
import { QUERY_SLICE_BYTES } from '../../../contract/limits.js';
import type { ScannedPart, ScanPart } from '../../../kernel/ports/memory-scan.js';
import { copyBytes } from '../../../storage/store/bytes.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { idOfEntry, scanEntries } from '../record/memory-store.js';
import { TERMS_WORK } from '../record/scan-memory.js';
import type { StoredSearchEntry } from '../record/search-entry.js';
import { AFTER_ALL, BEFORE_ALL, idAfter, idBefore, idTextOf, uuidOf } from './columns/id-text.js';
import type { CacheKey, SegmentCache } from './segment-cache.js';
import type { SegmentScan } from './segment-scan.js';
import { searchBackward, searchForward } from './segment-search.js';

/** A range without segments, by id texts: the entries after one, through the other one. */
export interface Gap {
  readonly after: string;
  readonly through: string;
}

/** Entries and their keys, in bytes of their own. */
type ReadEntry = { readonly entry: StoredSearchEntry; readonly key: Uint8Array };

/** Goes on with a scan in a gap. Its segments have word indexes, which decide faster than texts. */
export function fillGap(
  tx: ReadTx,
  part: ScanPart,
  gap: Gap,
  {
    scan,
    cache,
    cacheKey,
  }: { readonly scan: SegmentScan; readonly cache: SegmentCache; readonly cacheKey: CacheKey },
): ScannedPart {
  const { builder, changes } = cache;
  const { isBackward = false } = part;
  const cached = scan.examined;
  const { entries, last } = readEntries(tx, part, gap, scan.rememberedEntries);
  const read = rangeOf(gap, last, isBackward);
  builder.begin(read.after);
  for (const { entry, key } of isBackward ? entries.toReversed() : entries) builder.add(entry, key);
  const segments = builder.finish(read.through);
  for (const segment of isBackward ? segments.toReversed() : segments) {
    if (isBackward) searchBackward(segment, scan, segment.sizes.entries);
    else searchForward(segment, scan, 0);
    if (scan.last !== undefined) break;
  }
  return {
    matches: scan.matches,
    examined: scan.examined,
    cached,
    leftOut: scan.leftOut,
    last: scan.last ?? last ?? nextAfter(gap, isBackward),
    remember: () => cache.keep(cacheKey, segments, changes),
  };
}

/** Reads entries until there are enough for one slice; then `last` is the id of the last one. */
function readEntries(
  tx: ReadTx,
  { namespace, isBackward = false }: ScanPart,
  { after, through }: Gap,
  limit: number,
): { readonly entries: readonly ReadEntry[]; readonly last: string | undefined } {
  const entries: ReadEntry[] = [];
  let bytes = 0;
  let last: string | undefined;
  const first = after === BEFORE_ALL ? undefined : uuidOf(after);
  const span = isBackward
    ? { after: through === AFTER_ALL ? undefined : uuidOf(idAfter(through)), through: first }
    : { after: first, through: through === AFTER_ALL ? undefined : uuidOf(through) };
  scanEntries(tx, namespace, { ...span, limit, isBackward }, (entry, key) => {
    entries.push({ entry: entry.copied(), key: copyBytes(key) });
    bytes += TERMS_WORK * entry.size;
    const isLast = entries.length === limit || bytes >= QUERY_SLICE_BYTES;
    if (isLast) last = idOfEntry(key);
    return !isLast;
  });
  return { entries, last };
}

/** Returns the range that was read, up to an entry or to the end of the gap. */
function rangeOf({ after, through }: Gap, last: string | undefined, isBackward: boolean): Gap {
  if (last === undefined) return { after, through };
  return isBackward
    ? { after: idBefore(idTextOf(last)), through }
    : { after, through: idTextOf(last) };
}

/** Returns the id after which a scan goes on behind a gap; `undefined` if nothing is there. */
function nextAfter({ after, through }: Gap, isBackward: boolean): string | undefined {
  if (isBackward) return after === BEFORE_ALL ? undefined : uuidOf(idAfter(after));
  return through === AFTER_ALL ? undefined : uuidOf(through);
}
