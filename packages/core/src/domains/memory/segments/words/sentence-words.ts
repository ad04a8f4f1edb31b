/**
 * The words of the sentences of a long text, so that passages are found without reading it again.
 * Hashes of the words are held, and nothing of the text.
 */
import { SEARCH_TIMES_MAX } from '../../../../contract/limits.js';
import type {
  HeldSentences,
  WantedTerms,
  WordReading,
} from '../../../../kernel/ports/memory-scan.js';
import { foldText, NON_ASCII } from '../../text/fold-text.js';
import { wordsIn } from '../../text/word-reading.js';
import { startAt } from '../columns/columns.js';
import { hashOf, takeAsciiWords, type WordHash } from './word-hash.js';
import { WordNumbers } from './word-numbers.js';

/** Most sentences of a text that is held. */
const SENTENCES_MAX = 256;
/** Memory of the objects, in bytes. */
const OBJECT_BYTES = 1_280;

/** Where the sentences of a text end, and their UTF-8 bytes. */
interface Places {
  readonly bytesMax: number;
  readonly ends: readonly number[];
  readonly sizes: readonly number[];
}

/** Reads the words of a text; returns nothing for one with too many sentences or words. */
export function sentenceWords(
  text: string,
  places: Places,
  reading: WordReading,
): HeldSentences | undefined {
  const { ends } = places;
  if (ends.length > SENTENCES_MAX) return undefined;
  seen.clear();
  stems.clear();
  const posts = new Posts(reading);
  for (const [sentence, end] of ends.entries()) {
    const folded = foldText(text.slice(ends[sentence - 1] ?? 0, end));
    if (!posts.read(folded, sentence)) return undefined;
  }
  return new SentenceWords(places, posts);
}

/** Words as the text that is read has them, and as the reading compares them. */
const seen = new WordNumbers();
const stems = new WordNumbers();

/** Which sentences have which words, in the order of the text. */
class Posts {
  readonly reading: WordReading;
  readonly words: number[] = [];
  readonly sentences: number[] = [];
  readonly times: number[] = [];
  /** The compared word that each seen one is, -1 for none. */
  readonly #stemOf: number[] = [];
  /** The last post of each compared word. */
  readonly #last: number[] = [];

  constructor(reading: WordReading) {
    this.reading = reading;
  }

  /** Reads a folded sentence. Returns whether there was room for its words. */
  read(folded: string, sentence: number): boolean {
    if (!NON_ASCII.test(folded)) {
      return takeAsciiWords(folded, (first, second, from, to) =>
        this.#add(seen.numberOf(first >>> 0, second >>> 0), sentence, () => folded.slice(from, to)),
      );
    }
    for (const word of wordsIn(folded)) {
      const { first, second } = hashOf(word);
      if (!this.#add(seen.numberOf(first, second), sentence, () => word)) return false;
    }
    return true;
  }

  /** Adds a word by its number; returns whether there is room for it. */
  #add(number: number, sentence: number, wordOf: () => string): boolean {
    if (number === -1) return false;
    if (number === this.#stemOf.length) {
      const compared = this.reading.wordOf(wordOf());
      const { first, second } = hashOf(compared);
      this.#stemOf.push(compared === '' ? -1 : stems.numberOf(first, second));
    }
    const word = this.#stemOf[number] ?? -1;
    const last = this.#last[word] ?? -1;
    if (last !== -1 && this.sentences[last] === sentence) {
      this.times[last] = Math.min(SEARCH_TIMES_MAX, (this.times[last] ?? 0) + 1);
    } else if (word !== -1) {
      this.#last[word] = this.words.push(word) - 1;
      this.sentences.push(sentence);
      this.times.push(1);
    }
    return true;
  }
}

/** Sentences of a text, and which of them have a word. */
class SentenceWords implements HeldSentences {
  readonly reading: WordReading;
  readonly bytesMax: number;
  readonly ends: Uint32Array;
  readonly sizes: Uint32Array;
  /** The halves of the hash of each word. */
  readonly #firsts: Uint32Array;
  readonly #seconds: Uint32Array;
  /** Where the sentences of each word end; they start where those before end. */
  readonly #wordEnds: Uint32Array;
  readonly #sentences: Uint8Array;
  /** How often each of them has the word, up to a few times. */
  readonly #times: Uint8Array;

  constructor({ bytesMax, ends, sizes }: Places, posts: Posts) {
    this.reading = posts.reading;
    this.bytesMax = bytesMax;
    const words = stems.size;
    const block = new Uint32Array(2 * ends.length + 3 * words);
    let at = 0;
    const next = (length: number) => block.subarray(at, (at += length));
    this.ends = next(ends.length);
    this.sizes = next(ends.length);
    this.#firsts = next(words);
    this.#seconds = next(words);
    this.#wordEnds = next(words);
    this.ends.set(ends);
    this.sizes.set(sizes);
    this.#firsts.set(stems.firsts.subarray(0, words));
    this.#seconds.set(stems.seconds.subarray(0, words));
    this.#sentences = new Uint8Array(posts.words.length);
    this.#times = new Uint8Array(posts.words.length);
    this.#group(posts);
  }

  /** Memory that they take, in bytes. */
  get bytes(): number {
    return OBJECT_BYTES + this.ends.buffer.byteLength + 2 * this.#times.length;
  }

  /** Returns how often each has each term that is a word; nothing for one that has none. */
  timesOf({ words, count }: Pick<WantedTerms, 'words' | 'count'>): (Uint8Array | undefined)[] {
    const all = Array.from<Uint8Array | undefined>({ length: this.ends.length });
    for (const { word, bit } of words) {
      const found = this.#find(hashOf(word));
      if (found === -1) continue;
      const term = 31 - Math.clz32(bit);
      const end = this.#wordEnds[found] ?? 0;
      for (let at = startAt(this.#wordEnds, found); at < end; at += 1) {
        const own = (all[this.#sentences[at] ?? 0] ??= new Uint8Array(count));
        own[term] = this.#times[at] ?? 0;
      }
    }
    return all;
  }

  /** Returns the number of a word, or -1. Looking at each takes less than putting them in order. */
  #find({ first, second }: WordHash): number {
    let at = this.#firsts.indexOf(first);
    while (at !== -1 && this.#seconds[at] !== second) at = this.#firsts.indexOf(first, at + 1);
    return at;
  }

  /** Puts the sentences of each word together. */
  #group({ words, sentences, times }: Posts): void {
    const ends = this.#wordEnds;
    for (const word of words) ends[word] = (ends[word] ?? 0) + 1;
    let start = 0;
    for (let word = 0; word < ends.length; word += 1) {
      const count = ends[word] ?? 0;
      ends[word] = start;
      start += count;
    }
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? 0;
      const place = ends[word] ?? 0;
      this.#sentences[place] = sentences[at] ?? 0;
      this.#times[place] = times[at] ?? 0;
      ends[word] = place + 1;
    }
  }
}
