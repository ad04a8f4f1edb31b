/** The field for a public key. */
import type { JSX } from 'preact';
import { Field } from '../../parts/field.js';
import { texts } from '../../texts/en/english.js';

const words = texts.publicKey;

/** Shows the field, which a form sends as `key`. */
export function KeyField(): JSX.Element {
  return (
    <Field
      label={words.label}
      hint={words.hint}
      field={(id) => <textarea id={id} name="key" rows={5} spellcheck={false} required />}
    />
  );
}
