/** Sends all pages of an export as one body of JSON lines, with a separate call for each page. */
import { setTimeout } from 'node:timers/promises';
import { AgentkeepError } from '@agentkeep/core';
import type { InputSource } from '@agentkeep/core/operator';
import type { OutputOf } from '@agentkeep/core/clients';
import { type StreamRequest, streamCalls } from './exchange-call.js';
import type { AnsweredStream } from './respond.js';

/** How long a stream waits before it asks again for a page that was refused as busy. */
const BUSY_MS = 500;
/** How often it asks. The state of an export is held for longer. */
const BUSY_ASKS_MAX = 60;

type Page = OutputOf<'exportMemory'>['page'];

/** Returns whether a client asks for lines of JSON. */
export function wantsLines(accept: string | null): boolean {
  return accept !== null && /(?:^|[\s,])application\/x-ndjson(?:$|[\s,;])/i.test(accept);
}

/**
 * Returns the lines of an export. The first page is answered like an ordinary call.
 * @throws {AgentkeepError} as the first call.
 */
export async function streamLines(request: StreamRequest): Promise<AnsweredStream> {
  const { exchange, source } = request;
  const left = new AbortController();
  const signal = AbortSignal.any([exchange.signal(), left.signal]);
  const invoke = streamCalls(request, { signal });
  const pageOf = async (input: InputSource): Promise<Page> =>
    ((await invoke(input)) as OutputOf<'exportMemory'>).page;
  let sent: unknown;
  const first = await pageOf({
    document: async (rule) => {
      const parsed = await source.document?.(rule);
      sent = parsed?.value;
      return parsed;
    },
  });
  const next = (after: string): Promise<Page> => {
    const value = { ...(sent as object), after };
    return whenNotBusy(() => pageOf({ document: () => ({ value }) }), signal);
  };
  const isOver = (): boolean => signal.aborted || exchange.stopping.aborted;
  const leave = (): void => {
    left.abort();
  };
  return { parts: linesOf(first, next, isOver), leave };
}

async function* linesOf(
  first: Page,
  next: (after: string) => Promise<Page>,
  isOver: () => boolean,
): AsyncGenerator<string> {
  try {
    let page = first;
    for (;;) {
      const { text, next_after: after } = page;
      yield text;
      if (after === null || isOver()) return;
      // From here on the export can be asked for again.
      yield `${JSON.stringify({ line: 'page', after })}\n`;
      page = await next(after);
    }
  } catch (cause) {
    if (isOver()) return;
    const error =
      cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
    const { wireCode: code, advice: message } = error;
    yield `${JSON.stringify({ line: 'error', error: { code, message } })}\n`;
  }
}

/** Asks again while the server is busy, unless the client has left. */
async function whenNotBusy<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let asks = 1; ; asks += 1) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof AgentkeepError && error.code === 'service_busy';
      if (!isBusy || asks === BUSY_ASKS_MAX) throw error;
      await setTimeout(BUSY_MS, undefined, { signal });
    }
  }
}
