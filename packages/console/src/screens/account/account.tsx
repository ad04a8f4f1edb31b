/** The screen My account: what belongs to the person who is signed in. */
import type { JSX } from 'preact';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { ApiKeys } from '../people/api-keys.js';
import { OwnPassword } from '../people/own-password.js';
import { OwnSessions } from '../people/own-sessions.js';
import { Programs } from '../people/programs.js';
import { OwnMemories } from './own-memories.js';

const words = texts.ownAccount;

type AccountSection = keyof typeof words.names;

/** Shows the section of the address, or the first one. */
export function AccountScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { accountId } = caller;
  if (accountId === undefined) {
    return (
      <Screen title={words.title}>
        <Empty title={words.none} text={words.noneText} />
      </Screen>
    );
  }
  const names = Object.keys(words.names) as AccountSection[];
  const shown = names.filter((name) => name !== 'memories' || may(caller, 'memory_read'));
  const chosen = shown.find((name) => name === address.value.query.get('show')) ?? shown[0];
  return (
    <Screen title={words.title} about={words.about}>
      <nav class="tabs" aria-label={words.sections}>
        {shown.map((name) => (
          <Link key={name} to={pathOf('account', { show: name })} current={name === chosen}>
            {words.names[name]}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? undefined : sectionOf(chosen, caller, accountId)}
    </Screen>
  );
}

function sectionOf(name: AccountSection, caller: Caller, accountId: string): JSX.Element {
  switch (name) {
    case 'memories':
      return <OwnMemories caller={caller} />;
    case 'sessions':
      return <OwnSessions accountId={accountId} />;
    case 'programs':
      return <Programs />;
    case 'password':
      return <OwnPassword />;
    case 'keys':
      return <ApiKeys />;
  }
}
