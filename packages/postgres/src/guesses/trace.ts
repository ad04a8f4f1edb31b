/**
 * Records the reads of bodies: keys, and how far they walked through spans.
 */
import {
  type Entry,
  FIRST_POSITION,
  keyBytes,
  keyText,
  type KeyRange,
  type SnapshotTx,
} from '@agentkeep/core/store';
import type { Found } from './guess-cache.js';
import type { Knowledge, Span } from './knowledge.js';

/** How far a body walked through a span. */
export interface Walk {
  readonly span: Span;
  /** Number of entries read. */
  count: number;
  /** Whether the walk reached the end. */
  isWhole: boolean;
}

/** A span of which more must be fetched, with the number of entries. */
export interface Wanted {
  readonly span: Span;
  readonly count: number;
}

/** Entries of a span that are fetched first if the walk has no limit. */
const FIRST_ENTRIES = 64;
/** Growth of the fetched entries with each further look-up. */
const GROWTH = 4;
const ENTRIES_MAX = 1_024;

/** Reads from knowledge and records each read. */
export class Trace implements SnapshotTx {
  /** Whether a body asked for the horizon. */
  readsHorizon = false;
  readonly points = new Map<string, Found>();
  readonly walks = new Map<Span, Walk>();
  readonly #wanted = new Map<Span, number>();
  readonly #knowledge: Knowledge;

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  /** Returns the known or guessed value of a key. */
  get(key: Uint8Array): Uint8Array | undefined {
    const text = keyText(key);
    const found = this.#knowledge.find(text);
    this.points.set(text, found);
    return found.value;
  }

  /** Yields the entries of a span that were fetched so far. */
  *range({ from, to, limit = Infinity, reverse = false }: KeyRange): Generator<Entry> {
    if (limit === 0 || Buffer.compare(from, to) >= 0) return;
    const span = this.#knowledge.span(from, to, reverse);
    const walk = this.#walkOf(span);
    for (let index = 0; index < limit; index += 1) {
      const entry = span.entries[index];
      if (entry === undefined) {
        if (span.isWhole) walk.isWhole = true;
        else this.#want(span, limit);
        return;
      }
      walk.count = Math.max(walk.count, index + 1);
      yield { key: keyBytes(entry.text), value: entry.value };
    }
  }

  /** Returns the horizon of the snapshot, or the least position if it was not fetched yet. */
  horizon(): Uint8Array {
    this.readsHorizon = true;
    return this.#knowledge.horizon ?? FIRST_POSITION;
  }

  /** The spans that need more entries. */
  get wanted(): Wanted[] {
    return Array.from(this.#wanted, ([span, count]) => ({ span, count }));
  }

  /** Returns the keys that were guessed, with the guesses. */
  guessed(): [string, Found][] {
    return [...this.points].filter(([text]) => !this.#knowledge.isObserved(text));
  }

  /** Adds the reads of another trace of the same knowledge. */
  add(other: Trace): void {
    for (const [text, found] of other.points) this.points.set(text, found);
    for (const { span, count, isWhole } of other.walks.values()) {
      const walk = this.#walkOf(span);
      walk.count = Math.max(walk.count, count);
      walk.isWhole ||= isWhole;
    }
    for (const [span, count] of other.#wanted) this.#noteWanted(span, count);
  }

  #walkOf(span: Span): Walk {
    let walk = this.walks.get(span);
    if (walk === undefined) {
      walk = { span, count: 0, isWhole: false };
      this.walks.set(span, walk);
    }
    return walk;
  }

  #want(span: Span, limit: number): void {
    const known = span.entries.length;
    const more = known === 0 ? FIRST_ENTRIES : known * (GROWTH - 1);
    this.#noteWanted(span, Math.min(limit === Infinity ? more : limit - known, ENTRIES_MAX));
  }

  #noteWanted(span: Span, count: number): void {
    this.#wanted.set(span, Math.max(count, this.#wanted.get(span) ?? 0));
  }
}
