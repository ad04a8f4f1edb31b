/** Changes of memory as server-sent events: each change with its cursor as id, each page a call. */
import { AgentkeepError, type ChangePage } from '@agentkeep/core';
import type { HeldWait, InputSource } from '@agentkeep/core/operator';
import { type StreamRequest, streamCalls } from './exchange-call.js';
import type { AnsweredStream } from './respond.js';

/** Longest silence of a stream, in milliseconds. A comment with the latest cursor ends it. */
const HEARTBEAT_MS = 15_000;

/** The last text of a stream that a stop ends: the client connects again after a second. */
export const COME_AGAIN = 'retry: 1000\n\n';

/** The source of a stream. */
interface EventSource {
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
async function* eventsOf({ first, next, isOver, ended }: EventSource): AsyncGenerator<string> {
  try {
    let page = first;
    for (;;) {
      yield textOf(page);
      if (isOver()) break;
      page = await next(page.next_after);
    }
    yield COME_AGAIN;
  } catch (cause) {
    if (isOver()) {
      yield COME_AGAIN;
      return;
    }
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

/** The answer of a call for changes. */
interface ChangesAnswer {
  readonly page: ChangePage;
}

/** A request for a stream of changes. */
interface ChangeStreamRequest extends StreamRequest {
  /** The header `Last-Event-ID`. */
  readonly lastId: string | null;
}

/**
 * Returns changes as they are committed. The first page is answered like an ordinary call; each
 * further page is a call with the same proof, which is checked again.
 * @throws {AgentkeepError} as the first call.
 */
export async function streamChanges(request: ChangeStreamRequest): Promise<AnsweredStream> {
  const { exchange, source, lastId } = request;
  const { stopping } = exchange;
  const left = new AbortController();
  const signal = AbortSignal.any([exchange.signal(), left.signal]);
  const heldWait: HeldWait = {};
  const resumed = lastId === null || lastId === '' ? {} : { after: lastId };
  const invoke = streamCalls(request, { signal, heldWait });
  const pageOf = async (members: object) => {
    const input: InputSource = {
      // Read only when the order of checks requires it.
      get parameters() {
        return { ...(source.parameters as object | undefined), ...members };
      },
    };
    return ((await invoke(input)) as ChangesAnswer).page;
  };
  try {
    const first = await pageOf({ ...resumed, wait_millis: 0 });
    const parts = eventsOf({
      first,
      next: (after) => pageOf({ after, wait_millis: HEARTBEAT_MS }),
      isOver: () => signal.aborted || stopping.aborted,
      ended: () => heldWait.slot?.end(),
    });
    const leave = (): void => {
      left.abort();
    };
    return { parts, leave };
  } catch (error) {
    heldWait.slot?.end();
    throw error;
  }
}
