/** How much work a group commit does at a time, because it holds the event loop meanwhile. */

/** Most bodies of a batch. */
export const BATCH_BODIES_MAX = 512;

/** Bytes of writes after which a batch takes no more bodies. */
export const BATCH_BYTES_MAX = 8_388_608;

/** Time in milliseconds for which the bodies of a batch run, unless flushes take longer. */
export const BODIES_MS = 3;

/**
 * Most callers that are answered in one turn of the event loop. What they do next runs in the same
 * turn, and takes several times as long as their bodies did.
 */
export const ANSWERS_MAX = 128;

/** What a batch has taken so far. */
export interface TakenWork {
  readonly bodies: number;
  readonly bytes: number;
  /** Milliseconds since its first body began. */
  readonly ms: number;
}

/**
 * Returns whether a batch takes another body. On a slow disk bodies run for as long as a flush
 * takes, so that at most half of the time is spent on flushes. The shorter one of the last two
 * flushes counts, so that a single long one changes nothing.
 */
export function takesAnother(
  { bodies, bytes, ms }: TakenWork,
  flushesMs: readonly [number, number],
): boolean {
  if (bodies === 0) return true;
  if (bodies >= BATCH_BODIES_MAX || bytes >= BATCH_BYTES_MAX) return false;
  return ms < Math.max(BODIES_MS, Math.min(...flushesMs));
}
