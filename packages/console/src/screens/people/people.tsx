/** The screen Access: credentials and what they reach, issuers, accounts and rate limits. */
import type { JSX } from 'preact';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { AccountDetail } from './account-detail.js';
import { Accounts } from './accounts.js';
import { CredentialDetail } from './credential-detail.js';
import { Credentials } from './credentials.js';
import { Issuers } from './issuers.js';
import { Limits } from './limits.js';
import { Reach } from './reach.js';
import { KeyRequirement } from './key-requirement.js';
import { SignInSettingsCard } from './sign-in-settings.js';
import { type SectionName, shownSections } from './sections.js';

const words = texts.people;

/** Shows the section of the address, or the first one that the caller may see. */
export function AccessScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const shown = shownSections(caller);
  const chosen = shown.find((name) => name === query.get('show')) ?? shown[0];
  const id = query.get('id');
  if (chosen === 'credentials' && id !== null) {
    return <CredentialDetail key={id} caller={caller} id={id} />;
  }
  if (chosen === 'accounts' && id !== null) {
    return <AccountDetail key={id} caller={caller} id={id} />;
  }
  return (
    <Screen title={words.title} about={words.about}>
      <nav class="tabs" aria-label={words.sections}>
        {shown.map((name) => (
          <Link key={name} to={pathOf('access', { show: name })} current={name === chosen}>
            {words[name]}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? (
        <Empty title={words.nothing} text={words.nothingText} />
      ) : (
        sectionOf(chosen, caller)
      )}
    </Screen>
  );
}

function sectionOf(name: SectionName, caller: Caller): JSX.Element {
  switch (name) {
    case 'credentials':
      return <Credentials />;
    case 'reach':
      return <Reach />;
    case 'issuers':
      return <Issuers />;
    case 'accounts':
      return <Accounts caller={caller} />;
    case 'signIn':
      return <SignInSection caller={caller} />;
    case 'limits':
      return <Limits />;
  }
}

function SignInSection({ caller }: { readonly caller: Caller }): JSX.Element {
  const requiresKeys = caller.tenantId !== undefined && may(caller, 'credential_admin');
  return (
    <>
      <SignInSettingsCard caller={caller} />
      {requiresKeys ? <KeyRequirement caller={caller} /> : undefined}
    </>
  );
}
