/** Paging through directories. */
import type { CallOptions } from './call.js';
import { CONTRACT_VERSION } from '../contract/version.js';

/** The page of a directory to return. */
export interface DirectoryRequest extends CallOptions {
  /** Largest number of items, 1 to 100; default 25. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/** Returns the parameters of the request for a page. */
export function directoryParameters({ limit, cursor }: DirectoryRequest) {
  return {
    contract_version: CONTRACT_VERSION,
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** Yields all pages from a cursor on and fetches each page when it is needed. */
export async function* pagesFrom<P extends { readonly next_cursor: string | null }>(
  first: string | null,
  pageAt: (position: { cursor?: string }) => Promise<P>,
): AsyncGenerator<P, void> {
  let cursor = first;
  do {
    const page = await pageAt(cursor === null ? {} : { cursor });
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** Yields the items of all pages. */
export async function* everyItem<T>(
  pageAt: (position: { cursor?: string }) => Promise<{ items: T[]; next_cursor: string | null }>,
): AsyncGenerator<T, void> {
  for await (const page of pagesFrom(null, pageAt)) yield* page.items;
}
