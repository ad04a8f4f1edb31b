/** Paging through the history of one resource. */
import type { CallOptions } from '../call.js';
import { walkPages } from './page-walk.js';

/** Which pages of a history to fetch. */
export interface HistoryRequest extends CallOptions {
  /** Most events fetched at once, 1 to 64; default 64. */
  readonly limit?: number;
}

/** The query for one page. */
export interface HistoryQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Yields every event, newest first, and fetches each page when it is needed. */
export async function* everyEvent<E>(
  { limit }: HistoryRequest,
  pageAt: (query: HistoryQuery) => Promise<{ history: readonly E[]; next: string | undefined }>,
): AsyncGenerator<E, void> {
  const size = limit === undefined ? {} : { limit };
  const pages = walkPages<{ history: readonly E[]; next: string | undefined }, string>(
    null,
    (cursor) => pageAt(cursor === null ? size : { ...size, cursor }),
    ({ next }) => next ?? null,
  );
  for await (const { history } of pages) yield* history.toReversed();
}
