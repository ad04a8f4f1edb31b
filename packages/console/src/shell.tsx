/** What is around every screen: the navigation, and who is signed in. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Brand } from './parts/brand.js';
import { FailureNote } from './parts/notes.js';
import { Preferences } from './parts/preferences.js';
import { isLive } from './live/changes.js';
import { menuOf, readsMemory } from './menu.js';
import { pathOf } from './routing/address.js';
import { Link } from './routing/link.js';
import { address, presentPlace } from './routing/router.js';
import { DecisionNotes } from './screens/review/decision-notes.js';
import type { Caller } from './session/caller.js';
import { linkFailure, signOut } from './session/session.js';
import { texts } from './texts/en/english.js';

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
        <Menu caller={caller} screen={screen} />
      </header>
      <div class="place">
        <LinkNote caller={caller} />
        {children}
        <DecisionNotes />
      </div>
    </div>
  );
}

/** Shows the navigation, who is signed in, and preferences: on a phone behind a button. */
function Menu(props: { readonly caller: Caller; readonly screen: string }): JSX.Element {
  const { caller, screen } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // An effect after the next paint would close a menu that a person has opened meanwhile. So would
  // a screen that has loaded and names what it shows in the address, which is no other place.
  useLayoutEffect(() => setOpen(false), [presentPlace(), address.value.screen]);
  return (
    <div
      class="side-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        type="button"
        class="menu-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setOpen(!isOpen)}
      >
        {texts.menu.button}
      </button>
      <div id="menu" class="menu-content" data-open={isOpen}>
        <nav class="menu" aria-label={texts.menu.label}>
          {menuOf(caller).map(({ name, screens }) => (
            <Link key={name} to={pathOf(screens[0])} current={screens.includes(screen)}>
              {texts.menu[name]}
            </Link>
          ))}
        </nav>
        <Person caller={caller} />
        <Preferences />
      </div>
    </div>
  );
}

/** Says why a link was refused, and who is signed in all the same. */
function LinkNote({ caller }: { readonly caller: Caller }): JSX.Element | null {
  if (linkFailure.value === undefined) return null;
  return (
    <div class="place-note stack-tight">
      <FailureNote failure={linkFailure.value} />
      <div class="row">
        <span>{texts.person.still(caller.name)}</span>
        <button
          type="button"
          onClick={() => {
            linkFailure.value = undefined;
          }}
        >
          {texts.close}
        </button>
      </div>
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
