/**
 * The best matches by their words: how often and in how long a text they have the terms, and what
 * their neighbours in time have (docs/contract/search.md#sea-65).
 */
import type { WeighedEntry } from '../../../../kernel/ports/memory-scan.js';
import { bitAt } from './bits.js';
import { raritiesOf, type TermCounts } from './rarity.js';

/** A match with what it is weighed by. */
export interface WeighedMatch extends WeighedEntry {
  readonly id: string;
  /** Index of its scope. */
  readonly scope: number;
  readonly revision: number;
  /** Whether another record superseded it. */
  readonly isEnded?: boolean | undefined;
}

/** A match among the best ones. */
export interface BestMatch {
  readonly id: string;
  readonly scope: number;
  readonly revision: number;
  /** The bits of the terms that it lacks and a neighbour has. */
  readonly nearby: number;
  /** How often it has each term; absent where another call weighed it. */
  readonly times?: Uint8Array | undefined;
  /** Whether another record superseded it. */
  readonly isEnded?: boolean | undefined;
  /** Id of the ended record whose place it has. */
  readonly inPlaceOf?: string | undefined;
}

/** What a text of no bytes adds to the times of a term that are half of many. */
const TIMES_OFFSET = 0.1;
/** Bytes of text that add one to them. */
const BYTES_PER_TIME = 450;
/** Most milliseconds between the events of neighbours. */
const NEIGHBOUR_MS = 120_000;
/** What a term of a neighbour counts, as a part of what it counts there. */
const NEARBY_WEIGHT = 0.5;

/** Weighs the terms of matches, once all matches are counted. */
export class TermWeights {
  readonly #rarities: Float64Array;

  constructor(counts: TermCounts) {
    this.#rarities = Float64Array.from(raritiesOf(counts));
  }

  /** The number of terms. */
  get terms(): number {
    return this.#rarities.length;
  }

  /** Returns what each term counts in each match, and at last in none. */
  sharesOf(matches: readonly WeighedEntry[]): Float64Array {
    const { terms } = this;
    const shares = new Float64Array(terms * (matches.length + 1));
    let place = 0;
    for (const { times, textBytes } of matches) {
      for (let at = 0; at < terms; at += 1, place += 1) {
        shares[place] = shareOf(this.#rarities[at] ?? 0, times[at] ?? 0, textBytes);
      }
    }
    return shares;
  }

  /** Returns what all terms of a match count, whose times are at a place among others. */
  of(times: Uint8Array, from: number, textBytes: number): number {
    const rarities = this.#rarities;
    let sum = 0;
    for (let at = 0; at < rarities.length; at += 1) {
      const often = times[from + at] ?? 0;
      if (often > 0) sum += shareOf(rarities[at] ?? 0, often, textBytes);
    }
    return sum;
  }
}

function shareOf(rarity: number, often: number, textBytes: number): number {
  return (rarity * often) / (often + TIMES_OFFSET + textBytes / BYTES_PER_TIME);
}

/** Returns the best matches in their order, each with what its neighbours among them lend to it. */
export function inBestOrder(first: readonly WeighedMatch[], weights: TermWeights): BestMatch[] {
  const inTime = first.toSorted(compareTimes);
  const { terms } = weights;
  const shares = weights.sharesOf(inTime);
  const none = terms * inTime.length;
  const ranked = inTime.map((match, index) => {
    const own = terms * index;
    const before = areNeighbours(match, inTime[index - 1]) ? own - terms : none;
    const after = areNeighbours(match, inTime[index + 1]) ? own + terms : none;
    let [weight, lent, nearby] = [0, 0, 0];
    for (let at = 0; at < terms; at += 1) {
      weight += shares[own + at] ?? 0;
      if (match.times[at] !== 0) continue;
      const most = Math.max(shares[before + at] ?? 0, shares[after + at] ?? 0);
      if (most > 0) nearby |= bitAt(at);
      lent += most;
    }
    return { match, weight: weight + NEARBY_WEIGHT * lent, nearby: nearby >>> 0 };
  });
  ranked.sort(
    (one, other) => other.weight - one.weight || (one.match.id < other.match.id ? 1 : -1),
  );
  return ranked.map(({ match: { id, scope, revision, times, isEnded }, nearby }) => {
    return { id, scope, revision, nearby, times, isEnded };
  });
}

/** Compares matches by scope, event and id. */
function compareTimes(one: WeighedMatch, other: WeighedMatch): number {
  return (
    one.scope - other.scope || one.eventMillis - other.eventMillis || (one.id < other.id ? -1 : 1)
  );
}

function areNeighbours(one: WeighedMatch, other: WeighedMatch | undefined): boolean {
  if (other === undefined) return false;
  const apart = Math.abs(one.eventMillis - other.eventMillis);
  return one.scope === other.scope && apart <= NEIGHBOUR_MS;
}
