/** Walks through the entries of one scope, or of several in one order, for a page. */
import { PAGE_BYTES_MAX } from '../../../../contract/limits.js';
import type { CallRequest } from '../../../../kernel/operation/requests.js';
import type { InputSchemas } from '../../../../kernel/input/input-rules.js';
import type { SearchMatch } from '../documents/schema.js';
import type { OpenRanks } from '../matching/rank-bounds.js';
import type { ScopeStream, Step } from '../examination/scope-stream.js';
import type { Tally } from '../examination/tallied-matches.js';

/** A page under way. */
export interface OpenPage {
  /** Entries that may still be examined. */
  readonly entriesLeft: number;
  /** Whether it goes on, once they are used up, past those that can't match. */
  readonly isPassing?: boolean;
  /** Matches that it still takes; absent if it takes all. */
  readonly matchesLeft?: number;
  /** Returns the bounds of ranks that the page still takes; absent in the order of ids. */
  readonly ranksIn?: (scope: number) => OpenRanks;
  /** Begins to take matches together, before the entries that they are among. */
  readonly tally?: (scope: number) => Tally;
  /** Adds the next step; returns whether the page ends with it, or before it. */
  add(step: Step): boolean;
}

/**
 * Walks on until the page ends; takes turns with other heavy calls. Returns whether the scopes were
 * exhausted first.
 */
export async function walk(
  request: Pick<CallRequest<InputSchemas>, 'runtime' | 'turn'>,
  streams: readonly ScopeStream[],
  page: OpenPage,
  isBackward: boolean,
): Promise<boolean> {
  const { store } = request.runtime;
  for (let reads = 0; ; reads += 1) {
    const waiting = streams.find(({ isWaiting }) => isWaiting);
    if (waiting !== undefined) {
      if (reads > 0) await request.turn();
      const ranks = page.ranksIn?.(waiting.scope);
      const slice = await store.read((tx) => waiting.read(tx, page, ranks));
      waiting.add(slice);
      slice.tallied?.keep();
    }
    while (!streams.some(({ isWaiting }) => isWaiting)) {
      const stream = firstOf(streams, isBackward);
      if (stream?.next === undefined) return true;
      if (page.add(stream.next)) return false;
      stream.pass();
    }
  }
}

/** Returns the stream with the next step of all. */
function firstOf(streams: readonly ScopeStream[], isBackward: boolean): ScopeStream | undefined {
  let first: ScopeStream | undefined;
  for (const stream of streams) {
    if (stream.next === undefined) continue;
    const isBefore = first?.next === undefined || stream.next.id < first.next.id !== isBackward;
    if (isBefore) first = stream;
  }
  return first;
}

/** The most that a page takes. */
export interface PageBounds {
  readonly matches: number;
  readonly entries: number;
  /** See {@link OpenPage.isPassing}. */
  readonly isPassing?: boolean;
}

/** A page in the order of ids. */
export class PageById implements OpenPage {
  readonly matches: SearchMatch[] = [];
  readonly isPassing: boolean;
  readonly #limit: number;
  readonly #entries: number;
  #bytes = 0;
  #walked = 0;
  #end: { readonly id: string; readonly examined: number } | undefined;

  constructor({ matches, entries, isPassing = false }: PageBounds) {
    this.#limit = matches;
    this.#entries = entries;
    this.isPassing = isPassing;
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

  /** Matches that the page still takes. */
  get matchesLeft(): number {
    return this.#limit - this.matches.length;
  }

  #lastMatch: { readonly id: string; readonly examined: number } | undefined;

  /** Adds the next step. */
  add({ id, entries, found }: Step): boolean {
    if (found?.match !== undefined) {
      const isFull = this.#bytes + found.bytes > PAGE_BYTES_MAX;
      // Ends at the last match, not at the last examined entry: answers must not depend on slices.
      if (isFull && this.#lastMatch !== undefined) {
        this.#end = this.#lastMatch;
        return true;
      }
      this.matches.push(found.match);
      this.#bytes += found.bytes;
    }
    this.#walked += entries;
    const position = { id, examined: this.#walked };
    if (found !== undefined) this.#lastMatch = position;
    // Without an id, nothing is left behind these entries.
    const isUsedUp = this.entriesLeft === 0 && id !== '';
    const isEnd = this.matches.length === this.#limit || isUsedUp;
    if (isEnd) this.#end = position;
    return isEnd;
  }
}
