/** Pages that count or examine matches. */
import { PAGE_BYTES_MAX, SEARCH_GROUPS_MAX } from '../../../../contract/limits.js';
import type { CountedBy, SearchCounts } from '../documents/counts-schema.js';
import { CountedGroups } from '../examination/counted-groups.js';
import type { FoundMatch } from '../examination/read-matches.js';
import type { Step } from '../examination/scope-stream.js';
import { TalliedMatches } from '../examination/tallied-matches.js';
import type { TermCounts } from '../matching/rarity.js';
import type { RankedMatch } from '../matching/top-matches.js';
import type { OpenPage } from './search-page.js';
import { TermTally } from './term-tally.js';

/** Where a page begins, and how many entries it may examine. */
export interface Examination {
  /** Id of the last entry that earlier pages examined; absent before the first one. */
  readonly position: string | undefined;
  readonly entries: number;
}

/** A page that takes each match among the entries that it examines. */
export abstract class ExaminingPage implements OpenPage {
  readonly #entries: number;
  #examined = 0;
  #position: string | undefined;

  constructor({ position, entries }: Examination) {
    this.#position = position;
    this.#entries = entries;
  }

  /** Entries that were examined. */
  get examined(): number {
    return this.#examined;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#examined;
  }

  /** Id of the last entry examined. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) this.take(id, found);
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  /** Takes a match. */
  protected abstract take(id: string, found: FoundMatch): void;
}

/** How far the counting has got; cursors hold it. */
export interface CountingProgress {
  /** Id of the last entry that was counted; absent before the first one. */
  readonly position: string | undefined;
  readonly counts: TermCounts;
}

/** Counts matches by their terms. It keeps those of its own entries, so that they can be ranked. */
export class CountingPage extends ExaminingPage {
  readonly #tally: TermTally;

  constructor({ position, counts }: CountingProgress, entries: number) {
    super({ position, entries });
    this.#tally = new TermTally(counts);
  }

  /** Where the next page goes on. */
  get progress(): CountingProgress {
    return { position: this.position, counts: this.#tally.counts };
  }

  /** Returns the first matches among the entries that were examined, if these were all. */
  first(most: number): readonly RankedMatch[] {
    return this.#tally.first(most);
  }

  protected override take(id: string, { key: terms = 0, scope }: FoundMatch): void {
    this.#tally.add({ id, scope, terms });
  }

  /** Begins to take matches together. */
  readonly tally = (scope: number): TalliedMatches =>
    new TalliedMatches(scope, (matches) => this.#tally.addAll(matches));
}

/** Ends at its bound of entries, or after the last match whose groups fit. */
export class CountedPage implements OpenPage {
  readonly #counts: CountedGroups;
  readonly #entries: number;
  #walked = 0;
  #lastMatch: { readonly id: string; readonly examined: number } | undefined;
  #end: { readonly id: string; readonly examined: number } | undefined;

  constructor(wanted: readonly CountedBy[], entries: number) {
    this.#counts = new CountedGroups(wanted);
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
