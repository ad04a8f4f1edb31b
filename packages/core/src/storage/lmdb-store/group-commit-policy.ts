/**
 * Decides how much work a group commit does at a time, because it holds the event loop meanwhile.
 */

/** Most bodies of a group commit. */
export const COMMIT_BODIES_MAX = 512;

/** Bytes of writes after which a group commit takes no more bodies. */
export const COMMIT_BYTES_MAX = 8_388_608;

/** Time in milliseconds for which the bodies of a group commit run, unless flushes take longer. */
export const BODIES_MS = 3;

/**
 * Most callers that are answered in one turn of the event loop. Their next work runs in the same
 * turn, and takes several times as long as their bodies did.
 */
export const ANSWERS_MAX = 128;

/** The work that a group commit has taken so far. */
export interface TakenWork {
  readonly bodies: number;
  readonly bytes: number;
  /** Milliseconds since its first body began. */
  readonly ms: number;
}

/**
 * Returns whether a group commit takes another body. On a slow disk bodies run for as long as a
 * flush takes, so that at most half of the time is spent on flushes. The shorter one of the last
 * two flushes counts, so that a single long one changes nothing.
 */
export function takesAnother(
  { bodies, bytes, ms }: TakenWork,
  flushesMs: readonly [number, number],
): boolean {
  if (bodies === 0) return true;
  if (bodies >= COMMIT_BODIES_MAX || bytes >= COMMIT_BYTES_MAX) return false;
  return ms < Math.max(BODIES_MS, Math.min(...flushesMs));
}

/** Number of bodies from which a commit runs aside, on a thread of the engine. */
export const ASIDE_BODIES_MIN = 24;

/**
 * Most callers that are answered in one turn after a commit aside was requested, so that its bodies
 * run soon after the thread is ready.
 */
export const ANSWERS_WHILE_ASKED_MAX = 8;

/** Waiting bodies and callers of a store, and how long the last ones took. */
export interface QueuedWork {
  readonly waiting: number;
  readonly answers: number;
  /** Milliseconds for which a body ran on average. */
  readonly bodyMs: number;
  /** Milliseconds that a flush takes. */
  readonly flushMs: number;
}

/**
 * Returns whether callers are split in two, so that one half prepares its next bodies while those
 * of the other half are flushed. It pays if a flush is shorter than that preparation: otherwise the
 * halves would wait for two flushes instead of one.
 */
export function splitsCallers({ waiting, answers, bodyMs, flushMs }: QueuedWork): boolean {
  const callers = waiting + answers;
  return callers >= 2 * ASIDE_BODIES_MIN && flushMs < callers * bodyMs;
}
