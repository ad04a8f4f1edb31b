/** Finds passages of the main texts of records, of those held in memory by their words there. */
import { Buffer } from 'node:buffer';
import type { HeldText, WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { sentenceWords } from '../../segments/words/sentence-words.js';
import type { SearchPassage } from '../documents/schema.js';
import { bestPassage, type CountedSentences, sentencesOf } from './best-passage.js';
import type { CompiledSearch } from './compiled-search.js';

/**
 * Times that passages of a text are looked for before its words are read to be held: that takes as
 * long as reading it some ten times for the words of one search.
 */
const ASKED_MIN = 16;

/** What a search looks for passages by. */
interface PassagesSearch {
  /** Most UTF-8 bytes of a passage. */
  readonly bytesMax: number;
  /** The words that are looked for. */
  readonly ranking: WantedTerms;
  /**
   * Reads a text, for some of them by their bits; the result says how often a part of it has each,
   * nothing for none.
   */
  readonly timesWithin: CompiledSearch['timesWithin'];
  /** Returns what a passage counts that has the terms so often. */
  readonly weightOf: (times: Uint8Array) => number;
}

/** The passages of one search. */
export class Passages {
  readonly #search: PassagesSearch;

  constructor(search: PassagesSearch) {
    this.#search = search;
  }

  /** Returns whether the text of a record may be held: a long one that only words are wanted of. */
  isHeld(record: StoredRecord): boolean {
    const { bytesMax, ranking } = this.#search;
    // Phrases and prefixes are looked for in the texts.
    return ranking.otherBits === 0 && isLonger(textOf(record), bytesMax);
  }

  /**
   * Counts a request for the text of a record, and returns the text to cache: with its sentences,
   * once it was asked for often enough and if it may be read.
   */
  toHold(record: StoredRecord, held: HeldText | undefined, mayRead: () => boolean): HeldText {
    const { bytesMax, ranking } = this.#search;
    const { revision } = record;
    if (held?.revision !== revision || !this.#fits(held)) return { revision, asked: 1 };
    held.asked += 1;
    // A text with too many sentences or words was read without a result, and is not read again.
    if (held.sentences !== undefined || held.isRead === true) return held;
    if (held.asked < ASKED_MIN || !mayRead()) return held;
    const text = textOf(record);
    const places = { bytesMax, ...sentencesOf(text, bytesMax) };
    const sentences = sentenceWords(text, places, ranking.reading);
    return { revision, asked: held.asked, isRead: true, sentences };
  }

  /**
   * Returns the best passage of a long text, nothing for a short one; of a record that is known to
   * have no terms but those of some bits, for these.
   */
  of(record: StoredRecord, among?: number, held?: HeldText): SearchPassage | undefined {
    const { bytesMax, ranking, weightOf } = this.#search;
    const text = textOf(record);
    if (!isLonger(text, bytesMax)) return undefined;
    const { sentences } = held ?? {};
    const counted =
      sentences === undefined
        ? this.#counted(text, among)
        : { ends: sentences.ends, sizes: sentences.sizes, times: sentences.timesOf(ranking) };
    return bestPassage(text, counted, { bytesMax, terms: ranking.count, weightOf });
  }

  /** Returns whether a text is held as this search reads it. */
  #fits({ sentences }: HeldText): boolean {
    const { ranking, bytesMax } = this.#search;
    if (sentences === undefined) return true;
    return sentences.bytesMax === bytesMax && sentences.reading === ranking.reading;
  }

  /** Reads a text. */
  #counted(text: string, among: number | undefined): CountedSentences {
    const { bytesMax, timesWithin } = this.#search;
    const { ends, sizes } = sentencesOf(text, bytesMax);
    const timesIn = timesWithin(text, among);
    const times: (Uint8Array | undefined)[] = [];
    let from = 0;
    for (const end of ends) {
      times.push(timesIn(from, end));
      from = end;
    }
    return { ends, sizes, times };
  }
}

function textOf({ payload }: StoredRecord): string {
  return payload?.content.primary ?? '';
}

/** Returns whether a text has more UTF-8 bytes than some. */
function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || Buffer.byteLength(text) > bytes;
}
