/** The address that is shown, and ways to another one. */
import { signal } from '@preact/signals';
import { askingHolder } from './held-page.js';
import { forgetPlace, forgetPlacesFrom, keep, keptAt } from './kept.js';
import { scrollBackTo, stopScrollingBack } from './scroll-back.js';
import { type Address, changedQuery, pathOf, type Query, readAddress } from './address.js';

/** The address that is shown. */
export const address = signal<Address>(readAddress(location));

/** How many addresses of the page lie before the present one; "back" leads to a smaller one. */
let place = placeIn(history.state);
let isLeaving = false;

const SCROLLED = 'scrolled';

/** Returns how many addresses of the page lie before the present one. */
export function presentPlace(): number {
  return place;
}

/** Shows an address. With `replace`, "back" leads past the one before. */
export function go(path: string, { replace = false } = {}): void {
  stopScrollingBack();
  if (replace) {
    forgetPlace(place);
    history.replaceState({ at: place }, '', path);
  } else {
    keep(place, SCROLLED, scrollY);
    forgetPlacesFrom(place + 1);
    history.pushState({ at: ++place }, '', path);
  }
  address.value = readAddress(location);
}

/** Shows the same screen with another query, instead of the present one. */
export function changeQuery(changes: Query): void {
  const { screen, query } = address.value;
  go(pathOf(screen, changedQuery(query, changes)), { replace: true });
}

/** As {@link changeQuery}, but "back" leads to the present query. */
export function showQuery(changes: Query): void {
  const { screen, query } = address.value;
  go(pathOf(screen, changedQuery(query, changes)));
}

/** Follows "back" and "forward". */
export function followHistory(): void {
  history.replaceState({ at: place }, '', location.href);
  // The browser would scroll before the list is there again. After a reload it may try.
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
  });
  addEventListener('popstate', (event) => {
    const step = placeIn(event.state) - place;
    const ask = isLeaving ? undefined : askingHolder();
    isLeaving = false;
    // The browser has moved already: it is led back, and on again if nothing is to be kept.
    if (ask !== undefined && step !== 0) {
      history.go(-step);
      ask(() => leaveBy(step));
      return;
    }
    keep(place, SCROLLED, scrollY);
    place += step;
    address.value = readAddress(location);
    const top = keptAt(place, SCROLLED);
    scrollBackTo(typeof top === 'number' ? top : 0);
  });
}

function leaveBy(step: number): void {
  isLeaving = true;
  history.go(step);
}

function placeIn(state: unknown): number {
  const { at } = (state ?? {}) as { readonly at?: number };
  return at ?? 0;
}

/** Takes a text from the fragment of the address, which then has none. */
export function takeFragment(name: string): string | undefined {
  const value = new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined;
  if (value !== undefined)
    history.replaceState(history.state, '', location.pathname + location.search);
  return value;
}
