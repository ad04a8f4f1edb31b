/** Streams changes of memory to one client, with a separate call for each page. */
import type { ChangePage } from '@agentkeep/core';
import type { HeldWait, InputSource } from '@agentkeep/core/operator';
import { eventsOf, HEARTBEAT_MS } from './event-stream.js';
import type { AnsweredStream } from './respond.js';
import { type StreamRequest, streamCalls } from './stream-calls.js';

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
