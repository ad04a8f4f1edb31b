/** What is around every screen: the navigation, and who is signed in. */
import type { ComponentChildren, JSX } from 'preact';
import { Brand } from './parts/brand.js';
import { isLive } from './live/changes.js';
import { pathOf } from './routing/address.js';
import { Link } from './routing/link.js';
import { seesLearning } from './screens/learning/learning.js';
import { machineSections } from './screens/machine/sections.js';
import { shownSections } from './screens/people/sections.js';
import { type Caller, isAdministrator, may } from './session/caller.js';
import { signOut } from './session/session.js';
import { texts } from './texts/en.js';

/** An entry of the navigation, and the screens that belong to it. */
interface MenuEntry {
  readonly text: string;
  readonly screens: readonly [string, ...string[]];
  readonly isShown: (caller: Caller) => boolean;
}

const managesPeople = (caller: Caller): boolean => shownSections(caller).length > 0;
const seesMachine = (caller: Caller): boolean => machineSections(caller).length > 0;
const readsMemory = (caller: Caller): boolean => may(caller, 'memory_read');

const menu: readonly MenuEntry[] = [
  { text: texts.menu.scopes, screens: ['', 'scope', 'record'], isShown: readsMemory },
  { text: texts.menu.review, screens: ['review'], isShown: readsMemory },
  { text: texts.menu.branches, screens: ['branches'], isShown: readsMemory },
  { text: texts.menu.learning, screens: ['learning'], isShown: seesLearning },
  { text: texts.menu.people, screens: ['people'], isShown: managesPeople },
  { text: texts.menu.audit, screens: ['audit'], isShown: isAdministrator },
  { text: texts.menu.machine, screens: ['machine'], isShown: seesMachine },
];

/** Shows a screen with the navigation beside it. */
export function Shell(props: {
  readonly caller: Caller;
  readonly screen: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { caller, screen, children } = props;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <header class="side">
        <Link to={pathOf('')} class="brand">
          <Brand />
        </Link>
        <nav class="menu" aria-label={texts.menu.label}>
          {menu
            .filter(({ isShown }) => isShown(caller))
            .map(({ text, screens }) => (
              <Link key={text} to={pathOf(screens[0])} current={screens.includes(screen)}>
                {text}
              </Link>
            ))}
        </nav>
        <Person caller={caller} />
      </header>
      {children}
    </div>
  );
}

function Person({ caller }: { readonly caller: Caller }): JSX.Element {
  const { live, notLive, signOut: leave, installation } = texts.person;
  return (
    <div class="person">
      <div class="person-place small">
        <strong>{caller.name}</strong>
        <div class="soft">{caller.tenantId ?? installation}</div>
        {readsMemory(caller) ? (
          <div class="soft">
            <span class="live-mark" data-live={isLive.value} />
            {isLive.value ? live : notLive}
          </div>
        ) : undefined}
      </div>
      <button type="button" onClick={() => void signOut()}>
        {leave}
      </button>
    </div>
  );
}
