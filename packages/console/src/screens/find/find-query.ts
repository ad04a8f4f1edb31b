/** What a search over all scopes asks for: from its address to searches of the server. */
import type { SearchFilterInput } from '@agentkeep/client';
import type { Query } from '../../routing/address.js';
import { SEARCH_SCOPES_MAX, type ShownScope } from '../../scopes/scope-query.js';
import { filterOf } from '../memory/search-filter.js';

/** The members of an address that filter, named as those of a scope. */
const filterMembers = [
  ...(['words', 'by', 'type', 'custom', 'tags'] as const),
  ...(['created_from', 'created_before'] as const),
] as const;

/** What an address asks for. */
export interface FindQuery {
  /** Somebody: what is private to them, what they wrote, and texts that name them. */
  readonly about: string;
  /** Only what is private to this subject. */
  readonly subject: string;
  /** The filters as they stand in the address. */
  readonly filters: Query;
}

/** One search of the server: scopes that one agent reads, and a filter. */
export interface FindList {
  readonly scopes: readonly ShownScope[];
  readonly filter: SearchFilterInput;
  /** The members that show the same in one of the scopes. */
  readonly filters: Query;
}

/** Reads what an address asks for. */
export function findQueryOf(query: URLSearchParams): FindQuery {
  const text = (name: string): string => query.get(name)?.trim() ?? '';
  const stated = filterMembers.map((name) => [name, text(name)]);
  const filters = Object.fromEntries(stated.filter(([, value]) => value !== '')) as Query;
  return { about: text('about'), subject: text('subject'), filters };
}

/** Returns whether anything is asked for. */
export function asksAnything({ about, subject, filters }: FindQuery): boolean {
  return about !== '' || subject !== '' || Object.keys(filters).length > 0;
}

/** Returns whether records of a scope can be meant. */
export function isMeant({ subject }: FindQuery, { subjectId }: ShownScope): boolean {
  return subject === '' || subjectId === subject;
}

/** Returns the searches that find it in the scopes. */
export function findListsOf(query: FindQuery, scopes: readonly ShownScope[]): FindList[] {
  const { about, filters } = query;
  const meant = scopes.filter((shown) => isMeant(query, shown));
  if (about === '') return listsOf(meant, filters);
  const own = meant.filter(({ subjectId }) => subjectId === about);
  const others = meant.filter(({ subjectId }) => subjectId !== about);
  const { by, words } = filters;
  // The words of a name in a row, so that ann-ekdal finds "Ann Ekdal"; all words are needed.
  const named = [words ?? '', `"${about.replaceAll('"', ' ')}"`].join(' ').trim();
  const isWritten = by === undefined || by === about;
  return [
    ...listsOf(own, filters),
    ...(isWritten ? listsOf(others, { ...filters, by: about }) : []),
    ...(/[\p{L}\p{M}\p{N}_]/u.test(about) ? listsOf(others, { ...filters, words: named }) : []),
  ];
}

function listsOf(scopes: readonly ShownScope[], filters: Query): FindList[] {
  const groups = new Map<string, ShownScope[]>();
  for (const shown of scopes) {
    const subject = shown.subjectId ?? '';
    groups.set(subject, [...(groups.get(subject) ?? []), shown]);
  }
  const { words, ...rest } = filters;
  const filter = {
    ...filterOf((name) => rest[name] ?? ''),
    ...(words === undefined ? {} : { words: { text: words } }),
    // Who looks for all that is there about somebody means what has expired, too.
    expired: 'included',
  } as const;
  return [...groups.values()]
    .flatMap(slicesOf)
    .map((slice) => ({ scopes: slice, filter, filters: { ...filters, expired: 'included' } }));
}

function slicesOf(scopes: readonly ShownScope[]): (readonly ShownScope[])[] {
  const count = Math.ceil(scopes.length / SEARCH_SCOPES_MAX);
  return Array.from({ length: count }, (_, at) =>
    scopes.slice(at * SEARCH_SCOPES_MAX, (at + 1) * SEARCH_SCOPES_MAX),
  );
}
