/**
 * The passage of a long text that has the terms of a search best: a run of whole sentences
 * (docs/contract/search.md#sea-68).
 */
import { SEARCH_TIMES_MAX } from '../../../../contract/limits.js';
import type { SearchPassage } from '../documents/schema.js';

/** What a passage of one text is looked for by. */
interface PassageSearch {
  /** Most UTF-8 bytes of a passage. */
  readonly bytesMax: number;
  /** Number of terms. */
  readonly terms: number;
  /** Returns what a passage counts that has the terms so often. */
  readonly weightOf: (times: Uint8Array) => number;
}

/**
 * The sentences of a text, in order, or pieces of those that are longer than a passage, with the
 * terms that they have.
 */
export interface CountedSentences {
  /** Where each ends in the text, in UTF-16 units. */
  readonly ends: ArrayLike<number>;
  /** The UTF-8 bytes of each. */
  readonly sizes: ArrayLike<number>;
  /** How often each has each term; nothing for one that has none. */
  readonly times: readonly (Uint8Array | undefined)[];
}

/** The end of a sentence. Alternatives that begin with what they need are found faster. */
const BREAK = /\n\s*|[.!?]\s+|[。！？](?:\n\s*)?/g;

/** Returns the first of the best passages of a text, by its sentences. */
export function bestPassage(
  text: string,
  { ends, sizes, times }: CountedSentences,
  { bytesMax, terms, weightOf }: PassageSearch,
): SearchPassage {
  const sums = new RunningTimes(terms);
  let [end, bytes, most] = [0, 0, -1];
  let [from, to] = [0, 0];
  for (let first = 0; first < ends.length; first += 1) {
    let isMore = most === -1;
    for (; end < ends.length; end += 1) {
      const next = sizes[end] ?? 0;
      if (bytes + next > bytesMax) break;
      const more = times[end];
      sums.add(more, 1);
      isMore ||= more !== undefined;
      bytes += next;
    }
    // Without a new term it counts no more than the run before.
    const weight = isMore ? weightOf(sums.times) : most;
    if (weight > most) {
      most = weight;
      from = ends[first - 1] ?? 0;
      to = ends[end - 1] ?? ends[first] ?? 0;
    }
    sums.add(times[first], -1);
    bytes -= sizes[first] ?? 0;
  }
  const shown = text.slice(from, to).trimEnd();
  return { from, to: shown === '' ? to : from + shown.length };
}

/** How often the sentences of a run have each term. */
class RunningTimes {
  readonly #sums: Int32Array;
  /** The same, up to a few times. */
  readonly times: Uint8Array;

  constructor(terms: number) {
    this.#sums = new Int32Array(terms);
    this.times = new Uint8Array(terms);
  }

  add(times: Uint8Array | undefined, sign: 1 | -1): void {
    if (times === undefined) return;
    for (let at = 0; at < times.length; at += 1) {
      const sum = (this.#sums[at] ?? 0) + sign * (times[at] ?? 0);
      this.#sums[at] = sum;
      this.times[at] = Math.min(SEARCH_TIMES_MAX, sum);
    }
  }
}

/** Returns the sentences of a text, each with the white space behind it. */
export function sentencesOf(
  text: string,
  bytesMax: number,
): { readonly ends: number[]; readonly sizes: number[] } {
  const ends: number[] = [];
  const sizes: number[] = [];
  const isAscii = Buffer.byteLength(text) === text.length;
  let from = 0;
  const addUpTo = (end: number) => {
    while (from < end) {
      const to = pieceEnd(text, from, end, bytesMax);
      sizes.push(isAscii ? to - from : Buffer.byteLength(text.slice(from, to)));
      ends.push(to);
      from = to;
    }
  };
  BREAK.lastIndex = 0;
  while (BREAK.test(text)) addUpTo(BREAK.lastIndex);
  addUpTo(text.length);
  return { ends, sizes };
}

const encoder = new TextEncoder();

/** Returns where a sentence ends, or the largest piece of it up to a space, if there is one. */
function pieceEnd(text: string, from: number, end: number, bytesMax: number): number {
  if (3 * (end - from) <= bytesMax) return end;
  const ahead = text.slice(from, Math.min(end, from + bytesMax));
  const { read } = encoder.encodeInto(ahead, new Uint8Array(bytesMax));
  if (from + read === end) return end;
  const space = ahead.lastIndexOf(' ', read - 1);
  return from + (space <= 0 ? read : space + 1);
}
