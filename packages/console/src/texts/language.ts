/** The language of the page: that of the browser, until a person chooses another one. */
import { signal } from '@preact/signals';
import { readStored, store } from '../session/stored-setting.js';
import { texts } from './en/english.js';
import { copyOf, replaceTexts } from './replace-texts.js';
import type { Texts } from './translated.js';

/** The languages, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

/** The name of a language, as in the attribute `lang`. */
export type Language = keyof typeof languages;

/** The language that is shown. */
export const language = signal<Language>('en');

const english = copyOf(texts) as Texts;

/** Loads the texts of each language; only those of English are there from the beginning. */
const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => Promise.resolve(english),
  de: async () => (await import('./de/german.js')).germanTexts,
};

/** Shows the language that was chosen before, or else the first of the browser that there is. */
export async function startLanguage(): Promise<void> {
  const asked = [readStored('language') ?? '', ...navigator.languages];
  const names = asked.map((each) => each.split('-')[0] ?? '');
  const first = names.find((name): name is Language => Object.hasOwn(languages, name));
  if (first !== undefined && first !== 'en') await show(first);
}

/** Shows a language from now on, also after a reload. */
export async function chooseLanguage(name: Language): Promise<void> {
  store('language', name);
  await show(name);
}

async function show(name: Language): Promise<void> {
  replaceTexts(texts, await loaders[name]());
  document.documentElement.lang = name;
  language.value = name;
}
