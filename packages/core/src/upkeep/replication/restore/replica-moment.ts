/** The moments that a replication target reaches, and the base copy from which each is reached. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { FramePoint } from '../../../storage/frames/frame.js';
import type { BaseCopy } from '../copies/base-copy.js';

/** Which state to restore; the newest one without `at` and `position`. */
export interface Moment {
  /** Unix milliseconds: the state after the last commit at this time or before it. */
  readonly at?: number | undefined;
  /** The state after the commit of this number. */
  readonly position?: number | undefined;
  /** Default: the newest generation that has the moment. */
  readonly generation?: number | undefined;
}

/**
 * Returns the base copies from which a moment may be reached: one of each generation, the newest
 * generation first.
 * @throws {AgentkeepError} `replica_moment_unknown` if there is none.
 */
export function basesFor(copies: readonly BaseCopy[], moment: Moment): BaseCopy[] {
  const found: BaseCopy[] = [];
  for (const generation of new Set(copies.map((copy) => copy.generation)).values()) {
    if (moment.generation !== undefined && moment.generation !== generation) continue;
    const own = copies.filter((copy) => copy.generation === generation);
    const base = own.filter((copy) => isUpTo(copy, moment)).at(-1);
    if (base !== undefined && hasBegun(own, moment)) found.unshift(base);
  }
  if (found.length > 0) return found;
  const [oldest] = copies;
  if (oldest === undefined) throw noBaseCopy();
  throw unknownMoment(
    `The replication target reaches back to ${described(oldest.last, oldest.madeMs)}.`,
  );
}

/**
 * Whether a generation was there at a time. The commits of a later one may be older than itself,
 * if it began with a restored store.
 */
function hasBegun([first]: readonly BaseCopy[], { at }: Moment): boolean {
  if (at === undefined || first === undefined || first.generation === 1) return true;
  return first.madeMs <= at;
}

function isUpTo({ last, madeMs }: BaseCopy, { at, position }: Moment): boolean {
  // Without a commit, the state is that of the time at which the copy was made.
  const timeMs = last.position === 0 ? madeMs : last.timeMs;
  return timeMs <= (at ?? Infinity) && last.position <= (position ?? Infinity);
}

/** Returns how many of the frames with these heads belong to a moment. */
export function countUpTo(
  heads: readonly Pick<FramePoint, 'position' | 'timeMs'>[],
  { at = Infinity, position = Infinity }: Moment,
): number {
  const end = heads.findIndex((head) => head.timeMs > at || head.position > position);
  return end === -1 ? heads.length : end;
}

/** Makes the error for a target without a complete base copy. */
export function noBaseCopy(): AgentkeepError {
  const message =
    'The replication target has no complete base copy yet. Is it the right address? If it is, let ' +
    'the server that is copied there run until it has one.';
  return new AgentkeepError('replica_moment_unknown', { message });
}

/** Makes the error for a moment that a target does not have, with what it has. */
export function unknownMoment(what: string): AgentkeepError {
  return new AgentkeepError('replica_moment_unknown', { message: `${what} Name a moment in it.` });
}

/** Returns a point for messages. Before the first commit, its time is the given one. */
export function described({ position, timeMs }: FramePoint, madeMs = 0): string {
  const ms = position === 0 ? madeMs : timeMs;
  return `position ${position}, ${new Date(ms).toISOString()}`;
}
