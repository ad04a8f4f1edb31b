/**
 * What a run of bodies reads: what was observed for it, and guesses for the rest.
 * @module
 */
import { keyText } from '@agentkeep/core/store';
import { ABSENT, type Found, type GuessCache } from './guess-cache.js';

/** One entry of a span as it was fetched. */
export interface FetchedEntry extends Found {
  /** The key as a text of one character a byte. */
  readonly text: string;
  readonly value: Uint8Array;
}

/** A span that bodies walk through, and how far it is known, in the order of the walk. */
export interface Span {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly isReverse: boolean;
  readonly entries: FetchedEntry[];
  /** Whether there is nothing behind the known entries. */
  isWhole: boolean;
}

/** Knows keys and spans. */
export class Knowledge {
  readonly #guesses: GuessCache;
  readonly #observed = new Map<string, Found>();
  readonly #spans = new Map<string, Span>();

  constructor(guesses: GuessCache) {
    this.#guesses = guesses;
  }

  /** What is under a key, as far as anyone here knows. */
  find(text: string): Found {
    return this.#observed.get(text) ?? this.#guesses.get(text) ?? ABSENT;
  }

  /** Whether a key was looked up for this run, and not just guessed. */
  isObserved(text: string): boolean {
    return this.#observed.has(text);
  }

  /** Notes what was found under a key. */
  observe(text: string, found: Found): void {
    this.#observed.set(text, found);
    this.#guesses.set(text, found);
  }

  /** The span between two keys; nothing is known of a new one. */
  span(from: Uint8Array, to: Uint8Array, isReverse: boolean): Span {
    const id = `${isReverse ? '-' : '+'}${String(from.length)}:${keyText(from)}${keyText(to)}`;
    let span = this.#spans.get(id);
    if (span === undefined) {
      // Copies, because the caller may use its bounds again.
      const bounds = { from: Buffer.from(from), to: Buffer.from(to) };
      span = { ...bounds, isReverse, entries: [], isWhole: false };
      this.#spans.set(id, span);
    }
    return span;
  }

  /** Forgets what was fetched of spans, so that it is fetched anew. */
  forgetSpans(): void {
    this.#spans.clear();
  }
}
