/** Addresses of the console: a screen, and what it shows, as a query. */

/** The folder of all addresses. */
const BASE = '/console';

/** What an address names. */
export interface Address {
  /** The name of the screen; empty for the first one. */
  readonly screen: string;
  readonly query: URLSearchParams;
}

/** What a query is made of; members without a value are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Reads an address. */
export function readAddress({ pathname, search }: Pick<URL, 'pathname' | 'search'>): Address {
  const screen = pathname.slice(BASE.length).replace(/^\//, '');
  return { screen: decodeURIComponent(screen), query: new URLSearchParams(search) };
}

/** Returns the path of an address, with its query. */
export function pathOf(screen: string, query: Query = {}): string {
  const members = Object.entries(query).filter((each): each is [string, string] => {
    return each[1] !== undefined && each[1] !== '';
  });
  const search = new URLSearchParams(members).toString();
  return `${BASE}/${screen}${search === '' ? '' : `?${search}`}`;
}

/** Returns the query of an address with some members replaced; `undefined` removes one. */
export function changedQuery(query: URLSearchParams, changes: Query): Query {
  return { ...Object.fromEntries(query), ...changes };
}
