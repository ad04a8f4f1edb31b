/** A page that counts how many matches have each term, before they can be ranked by rarity. */
import type { Step } from '../examination/scope-stream.js';
import type { TalliedMatches } from '../examination/tallied-matches.js';
import { type RarityKey, rarityKeys, type TermCounts } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';
import type { OpenPage } from './search-page.js';

/** How far the counting has got; cursors hold it. */
export interface CountingProgress {
  /** Id of the last entry that was counted; absent before the first one. */
  readonly position: string | undefined;
  readonly counts: TermCounts;
}

/** A match that was counted, with the bits of its terms. */
interface CountedMatch {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  readonly terms: number;
}

/** Counts matches by their terms. It keeps those of its own entries, so that they can be ranked. */
export class CountingPage implements OpenPage {
  readonly #entries: number;
  readonly #found: CountedMatch[] = [];
  readonly #tallied: TalliedMatches[] = [];
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

  /** Where the next page goes on. */
  get progress(): CountingProgress {
    const counts = { matches: this.#matches, records: this.#records };
    return { position: this.#position, counts };
  }

  /** Returns the first matches among the entries that were examined, if these were all. */
  first(most: number): readonly RankedMatch[] {
    const top = new TopMatches([], { most, isBackward: true });
    const keyOf = rarityKeys(this.progress.counts);
    for (const { id, scope, terms } of this.#found) top.add({ id, scope, key: keyOf(terms) });
    for (const matches of this.#tallied) addFirst(top, matches, keyOf);
    return top.matches;
  }

  /** Counts the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) {
      const { key: terms = 0, scope } = found;
      this.#count(terms);
      this.#found.push({ id, scope, terms });
    }
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  readonly addAll = (matches: TalliedMatches): void => {
    this.#tallied.push(matches);
    for (let at = 0; at < matches.length; at += 1) this.#count(matches.termsAt(at));
  };

  #count(terms: number): void {
    this.#matches += 1;
    for (let at = 0, left = terms; left !== 0; at += 1, left >>>= 1) {
      if ((left & 1) === 1) this.#records[at] = (this.#records[at] ?? 0) + 1;
    }
  }
}

/** Adds the matches that may be among the first. */
function addFirst(top: TopMatches, matches: TalliedMatches, keyOf: RarityKey): void {
  const { scope } = matches;
  for (let at = 0; at < matches.length; at += 1) {
    const key = keyOf(matches.termsAt(at));
    if (top.mayTake(key)) top.add({ id: matches.idAt(at), scope, key });
  }
}
