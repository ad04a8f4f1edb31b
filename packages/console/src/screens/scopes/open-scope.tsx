/** A form that opens a scope by its names. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { texts } from '../../texts/en.js';

const words = texts.scopes;

/** Shows the form, for callers whose scopes follow from a policy. */
export function OpenScope(): JSX.Element {
  const [visibility, setVisibility] = useState('private');
  return (
    <details class="card">
      <summary>{words.openTitle}</summary>
      <p class="soft">{words.openText}</p>
      <form
        class="fields"
        onSubmit={(event) => {
          go(pathOf('scope', textsOf(event)));
        }}
      >
        <TextField label={words.project} name="project" required />
        <TextField label={words.agent} name="agent" required />
        <TextField label={words.mission} name="mission" />
        <ChoiceField
          label={words.visibility}
          name="visibility"
          value={visibility}
          choices={{ private: 'private', shared: 'shared' }}
          onChange={setVisibility}
        />
        <button type="submit">{words.open}</button>
      </form>
    </details>
  );
}
