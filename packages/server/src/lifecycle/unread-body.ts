/** Bounds the unread rest of a body after its request was answered. */
import type { IncomingMessage } from 'node:http';
import { clearInterval, setImmediate, setInterval } from 'node:timers';

/** Each period of so many milliseconds must bring a part. */
const SILENCE_MS = 500;
/** Milliseconds in which all of the rest must arrive. */
const DRAIN_MS = 10_000;
/** Largest rest in bytes. */
const DRAIN_BYTES_MAX = 67_108_864;

/**
 * Reads and drops the rest of a body, so that the client reads its answer and the connection can be
 * reused. Beyond the bounds the connection is closed.
 */
export function drainBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  let bytesBefore = 0;
  let leftMs = DRAIN_MS;
  let isOver = false;
  const close = (): void => {
    stop();
    incoming.socket.destroySoon();
  };
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > DRAIN_BYTES_MAX) close();
  };
  const judge = (): void => {
    if (isOver) return;
    leftMs -= SILENCE_MS;
    if (bytes === bytesBefore || leftMs <= 0) close();
    bytesBefore = bytes;
  };
  // After a stall of this process, parts that have arrived are processed after its timers.
  const timer = setInterval(() => setImmediate(judge), SILENCE_MS).unref();
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
    incoming.off('data', take).off('end', stop).off('error', stop);
  };
  incoming.on('data', take).on('end', stop).on('error', stop);
  incoming.resume();
}
