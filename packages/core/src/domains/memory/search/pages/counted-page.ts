/** A page that counts matches and shows none. */
import { PAGE_BYTES_MAX, SEARCH_GROUPS_MAX } from '../../../../contract/limits.js';
import type { CountedBy, SearchCounts } from '../documents/counts-schema.js';
import { GroupCounts } from '../examination/group-counts.js';
import type { Step } from '../examination/scope-stream.js';
import { TalliedMatches } from '../examination/tallied-matches.js';
import type { OpenPage } from './search-page.js';

/** Ends at its bound of entries, or after the last match whose groups fit. */
export class CountedPage implements OpenPage {
  readonly #counts: GroupCounts;
  readonly #entries: number;
  #walked = 0;
  #lastMatch: { readonly id: string; readonly examined: number } | undefined;
  #end: { readonly id: string; readonly examined: number } | undefined;

  constructor(wanted: readonly CountedBy[], entries: number) {
    this.#counts = new GroupCounts(wanted);
    this.#entries = entries;
  }

  /** The counts of the page. */
  get counts(): SearchCounts {
    return this.#counts.shown();
  }

  /** Entries from the start of the page to its end. */
  get examined(): number {
    return this.#end?.examined ?? this.#walked;
  }

  /** Id of the last entry of the page, once it has ended. */
  get last(): string | undefined {
    return this.#end?.id;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#walked;
  }

  /** Begins to take matches together. */
  readonly tally = (scope: number): TalliedMatches =>
    new TalliedMatches(scope, ({ length }) => this.#counts.addMatches(length));

  /** Counts the next step. */
  add({ id, entries, found }: Step): boolean {
    const counts = this.#counts;
    if (found !== undefined) {
      const added = counts.newAmong(found.groups);
      const isTooMany =
        counts.size + added.size > SEARCH_GROUPS_MAX || counts.bytes + added.bytes > PAGE_BYTES_MAX;
      if (added.size > 0 && isTooMany && this.#lastMatch !== undefined) {
        this.#end = this.#lastMatch;
        return true;
      }
      counts.add(found.groups);
    }
    this.#walked += entries;
    const position = { id, examined: this.#walked };
    if (found !== undefined) this.#lastMatch = position;
    if (this.entriesLeft > 0) return false;
    this.#end = position;
    return true;
  }
}
