/** A signal that is aborted when the client disconnects. */
import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when a connection closes before its response is sent. */
export function clientSignal(outgoing: ServerResponse): AbortSignal {
  if (outgoing.destroyed) return AbortSignal.abort();
  const leaving = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) leaving.abort();
  });
  return leaving.signal;
}
