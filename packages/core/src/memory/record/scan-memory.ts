/** Scans the stored search entries of a namespace. */
import { QUERY_SLICE_BYTES, QUERY_SLICE_ENTRIES } from '../../contract/limits.js';
import type { Match, ScannedPart, ScanPart } from '../../runtime/ports/memory-scan.js';
import type { ReadTx } from '../../storage/store/store.js';
import { idOfEntry, idStartOf, scanEntries } from './memory-store.js';
import type { StoredSearchEntry } from './search-entry.js';

/** Work of looking for terms in a byte of an entry, in bytes that are read in the same time. */
export const TERMS_WORK = 8;

/** A part of a scan, with the members that the cache needs. */
export interface StoredPart extends ScanPart {
  /** Id of the last entry to examine, or, backward, of the next one after it; absent means all. */
  readonly through?: string | undefined;
  /** Receives every entry that is examined. Entry and key are on loan. */
  readonly visited?: (entry: StoredSearchEntry, key: Uint8Array) => void;
}

/** Examines stored entries; the reference for every other way to scan. */
export function scanStored(tx: ReadTx, part: StoredPart): ScannedPart {
  const { filter, nowMs, records, visited, listed, isHidden, tally } = part;
  const limit = Math.min(part.entries, QUERY_SLICE_ENTRIES);
  const matches: Match[] = [];
  let examined = 0;
  let bytes = 0;
  let last: string | undefined;
  const { namespace, after, through, isBackward } = part;
  scanEntries(tx, namespace, { after, through, limit, isBackward }, (entry, key) => {
    examined += 1;
    bytes += entry.size;
    visited?.(entry, key);
    listed?.(idOfEntry(key));
    const isTested = entry.isVisible(nowMs) && entry.matches(filter);
    if (isTested && isHidden?.(idOfEntry(key)) !== true) {
      const terms = filter.terms?.bitsIn(entry.texts);
      if (terms !== undefined) bytes += TERMS_WORK * entry.size;
      const isMatch = terms === undefined || filter.terms?.isMatch(terms) === true;
      if (isMatch && tally !== undefined) tally.add(key, idStartOf(key), terms ?? 0);
      else if (isMatch) {
        const match = { recordId: idOfEntry(key), revision: entry.revision, examined };
        matches.push(terms === undefined ? match : { ...match, terms });
      }
    }
    const isLast = examined === limit || matches.length === records || bytes >= QUERY_SLICE_BYTES;
    if (isLast) last = idOfEntry(key);
    return !isLast;
  });
  return { matches, examined, last };
}
