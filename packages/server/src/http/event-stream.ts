/** Changes of memory as server-sent events: each change with its cursor as id. */
import { AgentkeepError, type ChangePage } from '@agentkeep/core';

/** Longest silence of a stream, in milliseconds. A comment with the latest cursor ends it. */
export const HEARTBEAT_MS = 15_000;

/** The source of a stream. */
export interface EventSource {
  /** The page that the stream begins with. */
  readonly first: ChangePage;
  /** Returns the next page, after waiting for it. */
  readonly next: (after: string) => Promise<ChangePage>;
  /** Whether the stream has to end. */
  readonly isOver: () => boolean;
  /** Called once when the stream has ended. */
  readonly ended: () => void;
}

/** Returns whether a client asks for events. */
export function wantsEvents(accept: string | null): boolean {
  return accept !== null && /(?:^|[\s,])text\/event-stream(?:$|[\s,;])/i.test(accept);
}

/**
 * Yields the text of a stream. A refusal, such as that of a credential that has ended, is the last
 * event, of type `error`.
 */
export async function* eventsOf({
  first,
  next,
  isOver,
  ended,
}: EventSource): AsyncGenerator<string> {
  try {
    let page = first;
    for (;;) {
      yield textOf(page);
      if (isOver()) return;
      page = await next(page.next_after);
    }
  } catch (cause) {
    if (isOver()) return;
    const error =
      cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
    yield `event: error\ndata: ${JSON.stringify({ error: { code: error.wireCode, message: error.advice } })}\n\n`;
  } finally {
    ended();
  }
}

/**
 * Returns the events of a page; without one, a comment. An event without data only advances the
 * last id.
 */
function textOf({ changes, next_after, has_more }: ChangePage): string {
  const events = changes.map(
    (change) => `id: ${change.cursor}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`,
  );
  return changes.length === 0 && !has_more ? `: \nid: ${next_after}\n\n` : events.join('');
}

/** Returns the stream of a response without a socket. */
export function streamOf(
  parts: AsyncGenerator<string | Uint8Array>,
  leave: () => void,
): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      let step = await parts.next();
      // A page may contain nothing for the caller.
      while (step.done !== true && step.value.length === 0) step = await parts.next();
      if (step.done === true) controller.close();
      else {
        const { value } = step;
        controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      }
    },
    cancel: async () => {
      leave();
      await parts.return(undefined);
    },
  });
}
