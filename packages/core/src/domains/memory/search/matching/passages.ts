/** Finds passages of the main texts of records, of those held in memory by their words there. */
import { Buffer } from 'node:buffer';
import type { HeldText, WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import type { StoredRecord } from '../../record/record-layout.js';
import { sentenceWords } from '../../segments/words/sentence-words.js';
import type { SearchPassage } from '../documents/schema.js';
import { bestPassage, type CountedSentences, sentencesOf } from './best-passage.js';
import type { CompiledSearch } from './compiled-search.js';

/** Searches that look for a passage of a text before its words are read to be held. */
const ASKED_MIN = 4;

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

  /**
   * Returns what to hold of the text of a record in place of what is held of it: with its
   * sentences, once it was asked for often enough. Nothing for a text that isn't worth it.
   */
  toHold(record: StoredRecord, held: HeldText | undefined): HeldText | undefined {
    const { bytesMax, ranking } = this.#search;
    const text = textOf(record);
    // Phrases and prefixes are looked for in the texts.
    if (ranking.otherBits !== 0 || !isLonger(text, bytesMax)) return undefined;
    const { revision } = record;
    const known = held?.revision === revision && this.#fits(held) ? held : undefined;
    if (known?.asked === ASKED_MIN) return known;
    const asked = (known?.asked ?? 0) + 1;
    if (asked < ASKED_MIN) return { revision, asked };
    const places = { bytesMax, ...sentencesOf(text, bytesMax) };
    return { revision, asked, sentences: sentenceWords(text, places, ranking.reading) };
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
    return { ends, sizes, times: ends.map((end, at) => timesIn(ends[at - 1] ?? 0, end)) };
  }
}

function textOf({ payload }: StoredRecord): string {
  return payload?.content.primary ?? '';
}

/** Returns whether a text has more UTF-8 bytes than some. */
function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || Buffer.byteLength(text) > bytes;
}
