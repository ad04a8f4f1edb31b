/** Matches as answers show them, with where the words are. */
import type { HeldText } from '../../../../kernel/ports/memory-scan.js';
import type { MemoryScope } from '../../../../kernel/access/scope.js';
import { SEARCH_HIGHLIGHTS_MAX } from '../../../../contract/limits.js';
import { foldWithPlaces } from '../../text/fold-text.js';
import { showRecord, type StoredRecord } from '../../record/record-layout.js';
import type { CompiledSearch } from '../matching/compiled-search.js';
import { mergedRanges } from '../matching/find-words.js';
import type { SearchRanks } from '../documents/join-schema.js';
import type { FoundTerm, SearchHighlight, SearchMatch } from '../documents/schema.js';
import type { CompiledOrder } from '../matching/search-order.js';

/** The members that answers show of a match in addition to its record. */
export interface Shown {
  readonly highlights: boolean;
  readonly wordsFound: boolean;
  readonly distance: boolean;
}

/** What determines how a match is shown. */
interface ShownSearch {
  readonly compiled: CompiledSearch;
  readonly order: CompiledOrder;
  readonly shown: Shown;
}

/** What is known of a match when it is shown. */
export interface ShownBeside {
  readonly ranks?: SearchRanks | undefined;
  /** Its terms; absent where its texts have to say them. */
  readonly terms?: FoundTerm[] | undefined;
  readonly nearby?: FoundTerm[] | undefined;
  /** The bits of its terms; absent where its texts have to say them. */
  readonly among?: number | undefined;
  /** Id of the ended record whose place it has. */
  readonly inPlaceOf?: string | undefined;
}

/** Shows a record that matches; a cached text saves reading it again. */
export function showMatch(
  scope: MemoryScope,
  recordId: string,
  record: StoredRecord,
  { compiled, order, shown }: ShownSearch,
  beside: ShownBeside = {},
  text?: HeldText,
): SearchMatch {
  const match: SearchMatch = { scope, record: showRecord(recordId, record) };
  const words = shown.wordsFound ? compiled.wordsFound(record) : undefined;
  const { ranks, nearby, among, inPlaceOf, terms = order.termsOf?.(record) } = beside;
  const distance = shown.distance ? order.keyOf?.(record) : undefined;
  if (words !== undefined) match.words_found = words;
  if (terms !== undefined) match.terms = terms;
  if (distance !== undefined) match.distance = distance;
  if (nearby !== undefined) match.nearby = nearby;
  const passage = order.passages?.of(record, among, text);
  if (passage !== undefined) match.passage = passage;
  if (ranks !== undefined) match.ranks = ranks;
  if (inPlaceOf !== undefined) match.in_place_of = inPlaceOf;
  if (shown.highlights) match.highlights = highlightsOf(record, compiled);
  return match;
}

/** Where the words are in the texts as they are shown. Ranges of parts that touch become one. */
function highlightsOf({ payload }: StoredRecord, compiled: CompiledSearch): SearchHighlight[] {
  if (payload === null) return [];
  const highlights: SearchHighlight[] = [];
  for (const member of ['primary', 'secondary', 'context'] as const) {
    const { folded, shown } = foldWithPlaces(payload.content[member] ?? '');
    for (const { from, to } of mergedRanges(compiled.rangesIn(folded).map(shown))) {
      if (highlights.length === SEARCH_HIGHLIGHTS_MAX) return highlights;
      highlights.push({ member, from, to });
    }
  }
  return highlights;
}
