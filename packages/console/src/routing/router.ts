/** The address that is shown, and ways to another one. */
import { signal } from '@preact/signals';
import { type Address, changedQuery, pathOf, type Query, readAddress } from './address.js';

/** The address that is shown. */
export const address = signal<Address>(readAddress(location));

/** Shows an address. With `replace`, "back" leads past the one before. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  address.value = readAddress(location);
}

/** Shows the same screen with another query, instead of the present one. */
export function changeQuery(changes: Query): void {
  const { screen, query } = address.value;
  go(pathOf(screen, changedQuery(query, changes)), { replace: true });
}

/** Follows "back" and "forward". */
export function followHistory(): void {
  addEventListener('popstate', () => {
    address.value = readAddress(location);
  });
}

/** Takes a text from the fragment of the address, which then has none. */
export function takeFragment(name: string): string | undefined {
  const value = new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined;
  if (value !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return value;
}
