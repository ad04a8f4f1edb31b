/** A tag with the state of a credential. */
import type { JSX } from 'preact';
import { texts } from '../../texts/en/english.js';
import type { CredentialState } from './credential-facts.js';

const looks = { live: 'tag good', expired: 'tag warned', revoked: 'tag bad' } as const;

/** Shows a state. */
export function CredentialStateTag({ state }: { readonly state: CredentialState }): JSX.Element {
  return <span class={looks[state]}>{texts.credentials.states[state]}</span>;
}
