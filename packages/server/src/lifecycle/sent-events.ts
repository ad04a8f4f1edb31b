/** Writes server-sent events to a socket as they come, no faster than the client reads them. */
import type { ServerResponse } from 'node:http';
import type { Answer, AnsweredEvents } from '../http/respond.js';

/** Longest time in which a client reads nothing, in milliseconds; then it is cut. */
const STALL_MS = 30_000;

/** Sends events until they end or the client leaves. */
export async function sendEvents(
  { status, headers }: Answer,
  { texts, leave }: AnsweredEvents,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  else outgoing.writeHead(status, headers);
  for await (const text of texts) {
    if (outgoing.destroyed) break;
    if (text !== '' && !outgoing.write(text)) await drained(outgoing);
  }
  if (!outgoing.destroyed) outgoing.end();
}

/** Resolves when the client has read on or left. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(cut);
      outgoing.off('drain', end).off('close', end);
      resolve();
    };
    const cut = setTimeout(() => {
      outgoing.destroy();
    }, STALL_MS);
    outgoing.once('drain', end).once('close', end);
  });
}
