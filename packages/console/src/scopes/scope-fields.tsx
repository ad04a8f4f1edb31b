/** The fields that name a scope in a form. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../parts/field.js';
import { texts } from '../texts/en/english.js';
import type { Query } from '../routing/address.js';

const words = texts.scopes;

/** Shows the fields, named as in the query of a scope. */
export function ScopeFields({ values = {} }: { readonly values?: Query }): JSX.Element {
  const { project = '', agent = '', mission = '' } = values;
  const [visibility, setVisibility] = useState(values['visibility'] ?? 'private');
  return (
    <>
      <TextField label={words.project} name="project" value={project} required />
      <TextField label={words.agent} name="agent" value={agent} required />
      <TextField label={words.mission} name="mission" value={mission} />
      <ChoiceField
        label={words.visibility}
        name="visibility"
        value={visibility}
        choices={{ private: 'private', shared: 'shared' }}
        onChange={setVisibility}
      />
    </>
  );
}
