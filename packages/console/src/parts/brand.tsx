/** The name of the product with its mark. */
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';

/** Shows it. */
export function Brand(): JSX.Element {
  return (
    <span class="brand-name">
      <svg class="brand-mark" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path d="M3 4h4v3h3V4h4v3h3V4h4v7l-2 2v7h-5v-4a2 2 0 0 0-4 0v4H5v-7l-2-2z" />
      </svg>
      {texts.product}
    </span>
  );
}
