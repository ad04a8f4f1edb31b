/** A form that opens a scope by its names. */
import type { JSX } from 'preact';
import { textsOf } from '../../parts/field.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { ScopeFields } from '../../scopes/scope-fields.js';
import { texts } from '../../texts/en/english.js';

const words = texts.scopes;

/** Shows the form, for callers whose scopes follow from a policy. `screen` shows the scope. */
export function OpenScope({ screen }: { readonly screen: 'scope' | 'learning' }): JSX.Element {
  return (
    <details class="card">
      <summary>{words.openTitle}</summary>
      <p class="soft">{words.openText}</p>
      <form
        class="fields"
        onSubmit={(event) => {
          go(pathOf(screen, textsOf(event)));
        }}
      >
        <ScopeFields />
        <button type="submit">{words.open}</button>
      </form>
    </details>
  );
}
