/**
 * How clients ask for pages of a directory, and walk through all of them.
 * @module
 */
import type { CallOptions } from './call.js';
import { CONTRACT_VERSION } from '../contract/version.js';

/** Which page of a directory. */
export interface DirectoryRequest extends CallOptions {
  /** Most items, 1 to 100; default 25. */
  readonly limit?: number;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** The parameters of the request for a page. */
export function directoryParameters({ limit, cursor }: DirectoryRequest) {
  return {
    contract_version: CONTRACT_VERSION,
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** The items of all pages, each fetched when it is asked for. */
export async function* everyItem<T>(
  pageAt: (position: { cursor?: string }) => Promise<{ items: T[]; next_cursor: string | null }>,
): AsyncGenerator<T, void> {
  let cursor: string | null = null;
  do {
    const page = await pageAt(cursor === null ? {} : { cursor });
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
