/** Bounds the rest of a body that nobody reads, after its request was answered. */
import type { IncomingMessage } from 'node:http';

/** Milliseconds in which the rest must arrive. */
const DRAIN_MS = 500;
/** Largest rest in bytes. */
const DRAIN_BYTES_MAX = 67_108_864;

/**
 * Takes in and drops the rest of a body, so that the client reads its answer and the connection can
 * be used again. Beyond the bounds the connection is closed.
 */
export function drainBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  const close = (): void => {
    stop();
    incoming.socket.destroySoon();
  };
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > DRAIN_BYTES_MAX) close();
  };
  const timer = setTimeout(close, DRAIN_MS).unref();
  const stop = (): void => {
    clearTimeout(timer);
    incoming.off('data', take).off('end', stop).off('error', stop);
  };
  incoming.on('data', take).on('end', stop).on('error', stop);
  incoming.resume();
}
