/** The choices of language and theme. */
import type { JSX } from 'preact';
import { chooseTheme, type Theme, theme } from '../session/theme.js';
import { texts } from '../texts/en/english.js';
import { chooseLanguage, type Language, language, languages } from '../texts/language.js';

/** Lets a person choose both. The browser keeps what was chosen. */
export function Preferences(): JSX.Element {
  const words = texts.preferences;
  return (
    <div class="preferences">
      <select
        aria-label={words.language}
        value={language.value}
        onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(languages).map(([name, text]) => (
          <option key={name} value={name} lang={name}>
            {text}
          </option>
        ))}
      </select>
      <select
        aria-label={words.theme}
        value={theme.value}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
      >
        {Object.entries(words.themes).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
