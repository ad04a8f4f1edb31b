/** BM25 over the words of short texts, to compare with. */

/** How words are read: `undefined` leaves a word out. */
export type ReadWord = (word: string) => string | undefined;

/** The two settings of BM25. */
export interface Bm25Setting {
  readonly k1: number;
  readonly b: number;
}

/** Ranks texts for questions. */
export class Bm25 {
  readonly #read: ReadWord;
  readonly #setting: Bm25Setting;
  readonly #postings = new Map<string, { readonly text: number; count: number }[]>();
  readonly #lengths: number[];
  readonly #meanLength: number;

  constructor(texts: readonly string[], read: ReadWord, setting: Bm25Setting) {
    this.#read = read;
    this.#setting = setting;
    const words = texts.map((text) => this.#wordsOf(text));
    this.#lengths = words.map(({ length }) => length);
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / texts.length;
    for (const [text, each] of words.entries()) for (const word of each) this.#count(word, text);
  }

  /** Returns the numbers of the texts that have a word of a question, the best ones first. */
  rank(question: string): number[] {
    const scores = new Map<number, number>();
    const { k1, b } = this.#setting;
    for (const word of new Set(this.#wordsOf(question))) {
      const found = this.#postings.get(word) ?? [];
      const rarity = Math.log(
        1 + (this.#lengths.length - found.length + 0.5) / (found.length + 0.5),
      );
      for (const { text, count } of found) {
        const length = (this.#lengths[text] ?? 0) / this.#meanLength;
        const weight = (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
        scores.set(text, (scores.get(text) ?? 0) + rarity * weight);
      }
    }
    const ranked = [...scores].sort((one, other) => other[1] - one[1]);
    return ranked.map(([text]) => text);
  }

  #count(word: string, text: number): void {
    const found = this.#postings.get(word) ?? [];
    const last = found.at(-1);
    if (last?.text === text) last.count += 1;
    else found.push({ text, count: 1 });
    this.#postings.set(word, found);
  }

  #wordsOf(text: string): string[] {
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
    return words.flatMap((word) => this.#read(word) ?? []);
  }
}
