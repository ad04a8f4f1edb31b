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
  /** Reads a text; the result says how often a part of it has each term, nothing if it has none. */
  readonly timesWithin: (text: string) => (from: number, to: number) => Uint8Array | undefined;
  /** Returns what a passage counts that has the terms so often. */
  readonly weightOf: (times: Uint8Array) => number;
}

/** A sentence, or a piece of one that is longer than a passage. */
interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** How often it has each term; absent if it has none. */
  readonly times: Uint8Array | undefined;
}

/** The end of a sentence. Alternatives that begin with what they need are found faster. */
const BREAK = /\n\s*|[.!?]\s+|[。！？](?:\n\s*)?/g;

/** Returns the first of the best passages of a text; nothing for a text that is short enough. */
export function bestPassage(text: string, search: PassageSearch): SearchPassage | undefined {
  const { bytesMax, weightOf } = search;
  if (Buffer.byteLength(text) <= bytesMax) return undefined;
  const sentences = sentencesOf(text, search);
  const sums = new RunningTimes(search.terms);
  let [end, bytes, most] = [0, 0, -1];
  let best: SearchPassage = { from: 0, to: 0 };
  for (const first of sentences) {
    let isMore = most === -1;
    for (; end < sentences.length; end += 1) {
      const next = sentences[end];
      if (next === undefined || bytes + next.bytes > bytesMax) break;
      sums.add(next.times, 1);
      isMore ||= next.times !== undefined;
      bytes += next.bytes;
    }
    // Without a new term it counts no more than the run before.
    const weight = isMore ? weightOf(sums.times) : most;
    if (weight > most) {
      most = weight;
      best = { from: first.from, to: sentences[end - 1]?.to ?? first.to };
    }
    sums.add(first.times, -1);
    bytes -= first.bytes;
  }
  const shown = text.slice(best.from, best.to).trimEnd();
  return shown === '' ? best : { from: best.from, to: best.from + shown.length };
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
function sentencesOf(text: string, { bytesMax, timesWithin }: PassageSearch): Sentence[] {
  const sentences: Sentence[] = [];
  const isAscii = Buffer.byteLength(text) === text.length;
  const timesIn = timesWithin(text);
  let from = 0;
  const addUpTo = (end: number) => {
    while (from < end) {
      const to = pieceEnd(text, from, end, bytesMax);
      const bytes = isAscii ? to - from : Buffer.byteLength(text.slice(from, to));
      sentences.push({ from, to, bytes, times: timesIn(from, to) });
      from = to;
    }
  };
  BREAK.lastIndex = 0;
  while (BREAK.test(text)) addUpTo(BREAK.lastIndex);
  addUpTo(text.length);
  return sentences;
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
