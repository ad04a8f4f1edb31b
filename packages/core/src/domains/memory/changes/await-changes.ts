/** Waits for changes that the caller may read. */
import { changeFeed } from './change-feed.js';
import type { FeedWait } from '../../../kernel/load/held-texts.js';
import {
  hasEntriesFrom,
  type ChangeQuery,
  type ChangeRequest,
  type Found,
  isEmpty,
  readChanges,
} from './read-changes.js';

/**
 * Returns the first page that is not empty, or an empty one when the time is over. Each look proves
 * the caller again. The call keeps no place among heavy calls while it waits.
 *
 * @throws {AgentkeepError} `too_many_waits`, and what a page throws.
 */
export async function awaitChanges(
  request: ChangeRequest,
  start: Uint8Array,
  query: ChangeQuery,
  waitMs: number,
): Promise<Found> {
  const { runtime, waiting } = request;
  const { clock, store } = runtime;
  const feed = changeFeed.of(runtime);
  const untilMs = clock.monotonic() + waitMs;
  const isOver = (): boolean =>
    clock.monotonic() >= untilMs || feed.isClosing || waiting.stopping?.aborted === true;
  const wait = waiting.heldWait?.slot ?? placeOf(request);
  let found: Found = { changes: [], next: start, hasMore: false };
  try {
    while (isEmpty(found) && !isOver()) {
      const sought = { from: found.next, wanted: query.wanted };
      await request.rest(async () => {
        do {
          await wait.soon(waiting);
          waiting.signal?.throwIfAborted();
        } while (!(await store.read((tx) => hasEntriesFrom(tx, request, sought))) && !isOver());
      });
      // It found nothing so far, so an erasure meanwhile doesn't end the wait.
      request.forgetReads();
      found = await readChanges(request, sought.from, query);
    }
    return found;
  } finally {
    if (waiting.heldWait === undefined) wait.end();
  }
}

/**
 * Returns a place among the calls that wait. A stream keeps it.
 *
 * @throws {AgentkeepError} `too_many_waits`
 */
export function placeOf({
  runtime,
  authority: tenant,
  principal,
  waiting,
}: Pick<ChangeRequest, 'runtime' | 'authority' | 'principal' | 'waiting'>): FeedWait {
  const place = changeFeed.of(runtime).wait({ tenant, principal: principal.id });
  if (waiting.heldWait !== undefined) waiting.heldWait.slot = place;
  return place;
}
