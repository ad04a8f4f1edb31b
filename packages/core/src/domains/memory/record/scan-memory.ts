/** Scans the stored search entries of a namespace. */
import { QUERY_SLICE_BYTES, QUERY_SLICE_ENTRIES } from '../../../contract/limits.js';
import type {
  Match,
  ScannedPart,
  ScanPart,
  SearchFilter,
  WeighedEntry,
} from '../../../kernel/ports/memory-scan.js';
import type { ReadTx } from '../../../storage/store/store.js';
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

/** Which terms an entry has, and how often if they are counted. */
export interface FoundTerms {
  /** The bits of the terms that it has; absent where none are wanted. */
  readonly terms?: number;
  readonly weighed?: WeighedEntry;
}

/** Returns what is found in the texts of an entry; `undefined` if its terms are no match. */
export function foundIn(
  entry: StoredSearchEntry,
  { terms: wanted }: SearchFilter,
  isWeighed = false,
): FoundTerms | undefined {
  if (wanted === null) return {};
  const terms = wanted.bitsIn(entry.texts);
  if (!wanted.isMatch(terms)) return undefined;
  if (!isWeighed) return { terms };
  const { textBytes, eventMillis } = entry;
  return { terms, weighed: { times: wanted.timesIn(entry.texts), textBytes, eventMillis } };
}

/** Examines stored entries; the reference for every other way to scan. */
export function scanStored(tx: ReadTx, part: StoredPart): ScannedPart {
  const { filter, nowMs, endedMs, records, visited, listed, isHidden, tally } = part;
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
      if (filter.terms !== null) bytes += TERMS_WORK * entry.size;
      const found = foundIn(entry, filter, part.isWeighed);
      const { revision } = entry;
      const isEnded = endedMs !== undefined && !entry.isVisible(endedMs);
      if (found !== undefined && tally !== undefined && !isEnded) {
        tally.add(key, idStartOf(key), { terms: 0, ...found, revision });
      } else if (found !== undefined) {
        matches.push({ recordId: idOfEntry(key), revision, examined, isEnded, ...found });
      }
    }
    const isLast = examined === limit || matches.length === records || bytes >= QUERY_SLICE_BYTES;
    if (isLast) last = idOfEntry(key);
    return !isLast;
  });
  return { matches, examined, last };
}
