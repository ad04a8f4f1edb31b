/**
 * Forms of the words of a language: which of them are one word, and which ones say nothing. Stems
 * are those of Snowball 2.2, and each language is loaded when it is first asked for.
 */
import { LazyPackage } from '../../../contract/errors/lazy-package.js';

/** The languages whose words have forms. */
export const languages = [
  ...(['english', 'german', 'french', 'spanish'] as const),
  ...(['portuguese', 'italian', 'dutch', 'russian'] as const),
] as const;
type Language = (typeof languages)[number];

/** How words are compared: as they are, or by the stems of a language. */
export type Forms = 'exact' | Language;

/** What is known of the words of a language. Words are in lower case. */
export interface WordForms {
  /** Returns what all forms of a word have in common. */
  readonly stemOf: (word: string) => string;
  /** Whether a word is so common that it says nothing, such as `the`. */
  readonly isStopWord: (word: string) => boolean;
  /** All of these words. */
  readonly stopWords: ReadonlySet<string>;
}

/** Every word is a word of its own, and says something. */
export const exactForms: WordForms = {
  stemOf: (word) => word,
  isStopWord: () => false,
  stopWords: new Set(),
};

/** No word of these languages is longer, and stemming takes time for each character. */
const WORD_CHARS_MAX = 64;

/** The article of an Arabic word, with the particles that are written onto it, before a word. */
const ARABIC_ARTICLE = /^(?:[وف]?[بك]?ال|[وف]?لل)(?=\p{L}{2})/u;
const ARABIC = /^\p{Script=Arabic}/u;

interface LanguageModules {
  readonly stemmer: (word: string) => string;
  readonly stopwords: readonly string[];
}

const packages: Readonly<Record<Language, LazyPackage<WordForms>>> = {
  english: formsOf(
    'english',
    async () => ({ stemmer: (await import('porter2')).stem }),
    () => import('@orama/stopwords/english'),
  ),
  german: formsOf(
    'german',
    () => import('@orama/stemmers/german'),
    () => import('@orama/stopwords/german'),
  ),
  french: formsOf(
    'french',
    () => import('@orama/stemmers/french'),
    () => import('@orama/stopwords/french'),
  ),
  spanish: formsOf(
    'spanish',
    () => import('@orama/stemmers/spanish'),
    () => import('@orama/stopwords/spanish'),
  ),
  portuguese: formsOf(
    'portuguese',
    () => import('@orama/stemmers/portuguese'),
    () => import('@orama/stopwords/portuguese'),
  ),
  italian: formsOf(
    'italian',
    () => import('@orama/stemmers/italian'),
    () => import('@orama/stopwords/italian'),
  ),
  dutch: formsOf(
    'dutch',
    () => import('@orama/stemmers/dutch'),
    () => import('@orama/stopwords/dutch'),
  ),
  russian: formsOf(
    'russian',
    () => import('@orama/stemmers/russian'),
    () => import('@orama/stopwords/russian'),
  ),
};

/** Returns the forms of a language, once its package is loaded. */
export function loadWordForms(forms: Forms): WordForms | Promise<WordForms> {
  return forms === 'exact' ? exactForms : packages[forms].get();
}

function formsOf(
  language: Language,
  loadStemmer: () => Promise<Pick<LanguageModules, 'stemmer'>>,
  loadStopWords: () => Promise<Pick<LanguageModules, 'stopwords'>>,
): LazyPackage<WordForms> {
  return new LazyPackage(`the stemmer of ${language}`, async () => {
    const [{ stemmer }, { stopwords }] = await Promise.all([loadStemmer(), loadStopWords()]);
    const stops = stopWordsOf(stopwords);
    return {
      stemOf: (word) => {
        if (word.length > WORD_CHARS_MAX) return word;
        return ARABIC.test(word) ? word.replace(ARABIC_ARTICLE, '') : stemmer(word);
      },
      isStopWord: (word) => stops.has(word),
      stopWords: stops,
    };
  });
}

/** Adds the parts of contractions, since `don't` is read as two words. */
function stopWordsOf(words: readonly string[]): ReadonlySet<string> {
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{M}\p{N}_]+/u)]);
  return new Set(parts.filter((part) => part !== ''));
}
