/** Counts how many matches have each term, and keeps the matches, so that they can be ranked. */
import type { TalliedMatches } from '../examination/tallied-matches.js';
import { type RarityKey, rarityKeys, type TermCounts } from '../matching/rarity.js';
import { type RankedMatch, TopMatches } from '../matching/top-matches.js';

/** A match that was counted, with the bits of its terms. */
interface CountedMatch {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  readonly terms: number;
}

/** Adds to the counts of earlier pages. It keeps the matches that were added to it. */
export class TermTally {
  readonly #found: CountedMatch[] = [];
  readonly #tallied: TalliedMatches[] = [];
  readonly #records: number[];
  #matches: number;

  constructor(counts: TermCounts) {
    this.#matches = counts.matches;
    this.#records = [...counts.records];
  }

  /** The counts so far. */
  get counts(): TermCounts {
    return { matches: this.#matches, records: this.#records };
  }

  /** Adds a match. */
  add(match: CountedMatch): void {
    this.#count(match.terms);
    this.#found.push(match);
  }

  /** Adds matches together. */
  addAll(matches: TalliedMatches): void {
    this.#tallied.push(matches);
    for (let at = 0; at < matches.length; at += 1) this.#count(matches.termsAt(at));
  }

  /** Returns the rarest of the matches that it keeps. */
  first(most: number): readonly RankedMatch[] {
    const top = new TopMatches<RankedMatch>([], { most, isBackward: true });
    const keyOf = rarityKeys(this.counts);
    for (const { id, scope, terms } of this.#found) top.add({ id, scope, key: keyOf(terms) });
    for (const matches of this.#tallied) addFirst(top, matches, keyOf);
    return top.matches;
  }

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
