/** What tests of searches share. */
import { type Answer, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { recordOf, scope } from '../harness/documents.js';

/** Returns the paths that a refusal names. */
export function named({ body }: Answer): string[] {
  const { error } = body as { error: { members?: { path: string }[] } };
  return (error.members ?? []).map(({ path }) => path);
}

/** Returns a page of a search. */
export const pageOf = async (caller: Caller, scopes: unknown, members: Members = {}) =>
  result(await caller.search(scopes, members)).page;

/** Returns the pages of a search, each as ids. */
export async function pagesOf(
  caller: Caller,
  scopes: unknown,
  members: Members,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await pageOf(caller, scopes, { ...members, cursor });
    pages.push(page.matches.map(({ record: { record_id } }) => record_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

/** Returns a record for each text. */
export const textual = (texts: readonly string[]) => texts.map((primary) => recordOf({ primary }));

/** Creates records, one after another; returns their ids. */
export async function stored(caller: Caller, records: readonly unknown[], where: unknown = scope) {
  const ids: string[] = [];
  for (const each of records) ids.push(await caller.created(where, each));
  return ids;
}
