/** Short words beside each other, such as rights. */
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';
import { Cut } from './name.js';

/** Shows words as tags. */
export function Tags({ words }: { readonly words: readonly string[] }): JSX.Element {
  if (words.length === 0) return <>{texts.none}</>;
  return (
    <span class="tags">
      {words.map((word) => (
        <span key={word} class="tag">
          <Cut text={word} />
        </span>
      ))}
    </span>
  );
}
