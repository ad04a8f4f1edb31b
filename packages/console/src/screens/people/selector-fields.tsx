/** The fields that select subjects. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, Field, TextField } from '../../parts/field.js';
import { texts } from '../../texts/en/english.js';

const words = texts.selector;

/** Shows the fields, which a form sends as `<name>_mode` and `<name>_text`. */
export function SelectorFields(props: {
  readonly label: string;
  readonly name: string;
}): JSX.Element {
  const { label, name } = props;
  const [mode, setMode] = useState('only');
  return (
    <div class="fields">
      <ChoiceField
        label={label}
        name={`${name}_mode`}
        value={mode}
        choices={words.modes}
        onChange={setMode}
      />
      {mode === 'prefix' ? (
        <TextField label={words.prefix(label)} name={`${name}_text`} required />
      ) : undefined}
      {mode === 'only' ? (
        <Field
          label={words.ids(label)}
          hint={words.idsHint}
          field={(id) => <textarea dir="auto" id={id} name={`${name}_text`} rows={2} required />}
        />
      ) : undefined}
    </div>
  );
}
