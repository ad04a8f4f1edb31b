/** A page that counts how many matches have each term, before they can be ranked by rarity. */
import type { FoundMatch } from '../examination/read-matches.js';
import type { Step } from '../examination/scope-stream.js';
import type { TermCounts } from '../matching/rarity.js';
import type { OpenPage } from './search-page.js';

/** How far the counting has got; cursors hold it. */
export interface CountingProgress {
  /** Id of the last entry that was counted; absent before the first one. */
  readonly position: string | undefined;
  readonly counts: TermCounts;
}

/** A match that was counted. */
export interface CountedMatch {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  /** The terms that it has, a bit for each. */
  readonly bits: number;
}

/** Counts matches by their terms. It keeps those of its own entries, so that they can be ranked. */
export class CountingPage implements OpenPage {
  readonly #entries: number;
  readonly #found: CountedMatch[] = [];
  readonly #records: number[];
  #matches: number;
  #position: string | undefined;
  #examined = 0;

  constructor({ position, counts }: CountingProgress, entries: number) {
    this.#position = position;
    this.#matches = counts.matches;
    this.#records = [...counts.records];
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

  /** The matches among the entries that were examined. */
  get found(): readonly CountedMatch[] {
    return this.#found;
  }

  /** Where the next page goes on. */
  get progress(): CountingProgress {
    const counts = { matches: this.#matches, records: this.#records };
    return { position: this.#position, counts };
  }

  /** Counts the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) this.#count(found, id);
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  #count({ key: bits = 0, scope }: FoundMatch, id: string): void {
    this.#matches += 1;
    for (let at = 0, left = bits; left !== 0; at += 1, left >>>= 1) {
      if ((left & 1) === 1) this.#records[at] = (this.#records[at] ?? 0) + 1;
    }
    this.#found.push({ id, scope, bits });
  }
}
