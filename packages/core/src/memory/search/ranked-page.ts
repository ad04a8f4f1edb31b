/**
 * A page of an order in which any entry may come first. It keeps the first matches of what was
 * examined, from one call to the next, and shows them once all entries were examined.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { OpenPage } from './search-page.js';
import { comesBefore, type Rank } from './search-order.js';
import { type RankedMatch, TopMatches } from './top-matches.js';
import type { FoundMatch, Step } from './scope-stream.js';

/** How far a page has got; cursors hold it. */
export interface RankedPlace {
  /** The last match of the page before; absent on the first page. */
  readonly start: Rank | undefined;
  /** Id of the last entry examined; absent before the first one. */
  readonly position: string | undefined;
  /** The first matches after `start`, in order. */
  readonly top: readonly RankedMatch[];
}

/** The dimensions of embeddings that were met, by the index of the scope. */
export class Dimensions {
  readonly #met = new Map<number, Set<number>>();

  /** Adds the dimension of an embedding; 0 is that of none. */
  add(scope: number, dimension: number): void {
    if (dimension === 0) return;
    const dimensions = this.#met.get(scope) ?? new Set();
    dimensions.add(dimension);
    this.#met.set(scope, dimensions);
  }

  /**
   * Requires an embedding like the vector in each scope where embeddings were met.
   *
   * @throws {AgentkeepError} `invalid_request`
   */
  require({ length }: readonly number[]): void {
    for (const [scope, dimensions] of this.#met) {
      const [first] = dimensions;
      if (first === undefined || dimensions.has(length)) continue;
      const expected = `${first} numbers, as embeddings in scopes[${scope}] have`;
      const members = [{ path: 'vector.values', expected }];
      throw new AgentkeepError('invalid_request', { members });
    }
  }
}

/** A ranked page under way. */
export class RankedPage implements OpenPage {
  readonly #place: RankedPlace;
  readonly #entries: number;
  readonly #isBackward: boolean;
  readonly #top: TopMatches;
  readonly #dimensions = new Dimensions();
  #examined = 0;
  #position: string | undefined;

  constructor(
    place: RankedPlace,
    bounds: { readonly matches: number; readonly entries: number },
    isBackward: boolean,
  ) {
    this.#place = place;
    this.#entries = bounds.entries;
    this.#isBackward = isBackward;
    this.#top = new TopMatches(place.top, { most: bounds.matches, isBackward });
    this.#position = place.position;
  }

  /** Entries that were examined. */
  get examined(): number {
    return this.#examined;
  }

  /** Entries that may still be examined. */
  get entriesLeft(): number {
    return this.#entries - this.#examined;
  }

  /** The dimensions of embeddings of the matches that were examined, by the index of the scope. */
  get dimensions(): Dimensions {
    return this.#dimensions;
  }

  /** Where the next page goes on with the examination. */
  get place(): RankedPlace {
    return { start: this.#place.start, position: this.#position, top: this.#top.matches };
  }

  /** Examines the next entries. */
  add({ id, entries, found }: Step): boolean {
    if (found !== undefined) this.#look(found, id);
    this.#examined += entries;
    this.#position = id;
    return this.entriesLeft === 0;
  }

  #look({ key, scope, dimension }: FoundMatch, id: string): void {
    this.#dimensions.add(scope, dimension);
    if (key === undefined) return;
    const match = { key, id, scope };
    const { start } = this.#place;
    if (start === undefined || comesBefore(start, match, this.#isBackward)) this.#top.add(match);
  }
}
