/**
 * The state that bodies run on: fetched values, and guesses for everything else.
 */
import { keyText } from '@agentkeep/core/store';
import { ABSENT, type Found, type GuessCache } from './guess-cache.js';

/** A fetched entry of a span. */
export interface FetchedEntry extends Found {
  /** The key as text, one character per byte. */
  readonly text: string;
  readonly value: Uint8Array;
}

/** A span of keys, with the entries fetched so far in walking order. */
export interface Span {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly isReverse: boolean;
  readonly entries: FetchedEntry[];
  /** Whether all entries were fetched. */
  isWhole: boolean;
}

/** Keys and spans for one run. */
export class Knowledge {
  /** The horizon of the snapshot, once it was fetched. */
  horizon: Uint8Array | undefined;
  readonly #guesses: GuessCache;
  readonly #observed = new Map<string, Found>();
  readonly #spans = new Map<string, Span>();

  constructor(guesses: GuessCache) {
    this.#guesses = guesses;
  }

  /** Returns the fetched value of a key, else the guess, else {@link ABSENT}. */
  find(text: string): Found {
    return this.#observed.get(text) ?? this.#guesses.get(text) ?? ABSENT;
  }

  /** Whether the value of a key was fetched for this run, not guessed. */
  isObserved(text: string): boolean {
    return this.#observed.has(text);
  }

  /** Records the fetched value of a key. */
  observe(text: string, found: Found): void {
    this.#observed.set(text, found);
    this.#guesses.set(text, found);
  }

  /** Returns the span between two keys. A new span has no entries yet. */
  span(from: Uint8Array, to: Uint8Array, isReverse: boolean): Span {
    const id = `${isReverse ? '-' : '+'}${String(from.length)}:${keyText(from)}${keyText(to)}`;
    let span = this.#spans.get(id);
    if (span === undefined) {
      // Copies, because the caller may reuse its bounds.
      const bounds = { from: Buffer.from(from), to: Buffer.from(to) };
      span = { ...bounds, isReverse, entries: [], isWhole: false };
      this.#spans.set(id, span);
    }
    return span;
  }

  /** Discards all fetched spans, so that they are fetched again. */
  forgetSpans(): void {
    this.#spans.clear();
  }
}
