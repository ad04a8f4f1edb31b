/** The console: a way in, then the screens with their navigation. */
import type { JSX } from 'preact';
import { firstScreen } from './menu.js';
import { Loading } from './parts/notes.js';
import { Screen } from './parts/screen.js';
import { pathOf } from './routing/address.js';
import { Link } from './routing/link.js';
import { address } from './routing/router.js';
import { AccountScreen } from './screens/account/account.js';
import { AuditScreen } from './screens/audit/audit.js';
import { BranchesScreen } from './screens/branches/branches.js';
import { CodingAgentsScreen } from './screens/coding-agents/coding-agents.js';
import { FindScreen } from './screens/find/find.js';
import { LearningScreen } from './screens/learning/learning.js';
import {
  ErasuresScreen,
  SystemScreen,
  TenantsScreen,
  WebhooksScreen,
} from './screens/machine/machine.js';
import { MemoryScreen } from './screens/memory/memory.js';
import { AccessScreen } from './screens/people/people.js';
import { RecordScreen } from './screens/record/record.js';
import { ReviewScreen } from './screens/review/review.js';
import { ScopesScreen } from './screens/scopes/scopes.js';
import { SignIn } from './screens/sign-in/sign-in.js';
import type { Caller } from './session/caller.js';
import { session } from './session/session.js';
import { Shell } from './shell.js';
import { texts } from './texts/en/english.js';
import { language } from './texts/language.js';

/** A screen, shown to the caller that is signed in. */
type ScreenOf = (props: { readonly caller: Caller }) => JSX.Element;

/** The screens by their names in addresses. */
const screens: Readonly<Partial<Record<string, ScreenOf>>> = {
  '': ScopesScreen,
  find: FindScreen,
  coding: CodingAgentsScreen,
  scope: MemoryScreen,
  record: RecordScreen,
  review: ReviewScreen,
  branches: BranchesScreen,
  learning: LearningScreen,
  access: AccessScreen,
  audit: AuditScreen,
  system: SystemScreen,
  tenants: TenantsScreen,
  webhooks: WebhooksScreen,
  erasures: ErasuresScreen,
  account: AccountScreen,
  nothing: NothingScreen,
};

/** Shows the screen of the address, or the way in. */
export function App(): JSX.Element {
  // A new language begins the page anew, so that each part has its texts.
  return <Page key={language.value} />;
}

function Page(): JSX.Element {
  const state = session.value;
  if (state.kind === 'changing') {
    return (
      <main class="gate">
        <Loading />
      </main>
    );
  }
  if (state.kind === 'closed') return <SignIn reason={state.reason} />;
  const asked = address.value.screen;
  const screen = asked === '' ? firstScreen(state.caller) : asked;
  const Shown = Object.hasOwn(screens, screen) ? screens[screen] : undefined;
  return (
    <Shell caller={state.caller} screen={screen}>
      {Shown === undefined ? <UnknownScreen /> : <Shown caller={state.caller} />}
    </Shell>
  );
}

function NothingScreen(): JSX.Element {
  return <Screen title={texts.nothing.title} about={texts.nothing.text} />;
}

function UnknownScreen(): JSX.Element {
  const { title, text, home } = texts.unknown;
  return (
    <Screen title={title} about={text}>
      <p>
        <Link to={pathOf('')}>{home}</Link>
      </p>
    </Screen>
  );
}
