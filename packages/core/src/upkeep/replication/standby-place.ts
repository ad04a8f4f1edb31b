/** Finds where in a log a data directory is that follows it. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { digestOfFrame, frameHead, type FramePoint } from '../../storage/frames/frame.js';
import type { Progression } from './restore/apply-slots.js';
import { type BaseCopy, listBaseCopies } from './copies/base-copy.js';
import { framesOf, slotName, slotOfName } from './log/replica-slot.js';
import { noBaseCopy } from './restore/replica-moment.js';
import type { ReplicaTarget } from './targets/replica-target.js';
import { missingSlot, readSlot, slotsAfter } from './log/verify-slots.js';

/** A slot from which a search begins. */
type Start = Omit<Progression, 'last'>;

/**
 * Returns the place of a directory whose last frame is a point, searched from a slot on.
 * @throws {AgentkeepError} `store_incompatible` if the generation of the slot lacks the point; as
 * `slotsAfter` does.
 */
export async function placeAfter(
  target: ReplicaTarget,
  start: Start,
  last: FramePoint,
): Promise<Progression> {
  const first = await readSlot(target, start.slot);
  if (first === undefined) throw missingSlot(start.slot);
  const { store, generation } = start;
  if (isSame(first.head.last, last)) return { store, generation, slot: start.slot, last };
  for await (const slot of slotsAfter(target, start.slot, store)) {
    if (slot.head.generation !== generation) break;
    if (slot.head.last.position < last.position) continue;
    const frames = await framesOf(slot);
    const own = frames.find((frame) => frameHead(frame).position === last.position);
    if (own === undefined || digestOfFrame(own) !== last.digest) break;
    return { store, generation, slot: slot.head.slot - 1, last };
  }
  throw unfollowable(`No slot of generation ${generation} has the frame ${last.position}.`);
}

/**
 * Returns the place of a directory that was restored or wrote to the log before, by the base copies
 * of the target.
 * @throws {AgentkeepError} as {@link placeAfter}.
 */
export async function placeByCopies(
  target: ReplicaTarget,
  store: string,
  last: FramePoint | undefined,
): Promise<Progression> {
  const copies = await listBaseCopies(target);
  for (const generation of [...new Set(copies.map((copy) => copy.generation))].reverse()) {
    const base = copies.findLast(
      (copy) => copy.generation === generation && copy.last.position <= (last?.position ?? -1),
    );
    if (base === undefined || last === undefined) continue;
    if (isSame(base.last, last)) return { store, generation, slot: base.slot, last };
    try {
      return await placeAfter(target, { store, generation, slot: base.slot }, last);
    } catch (error) {
      if (!(error instanceof AgentkeepError && error.code === 'store_incompatible')) throw error;
    }
  }
  throw unfollowable(`No generation has the frame ${last?.position ?? 'of a commit'}.`);
}

/**
 * Returns the newest base copy behind a slot.
 * @throws {AgentkeepError} `replica_moment_unknown` if there is none yet.
 */
export async function newestCopyAfter(target: ReplicaTarget, slot: number): Promise<BaseCopy> {
  const newest = (await listBaseCopies(target)).findLast((copy) => copy.slot > slot);
  if (newest !== undefined) return newest;
  throw noBaseCopy();
}

/** Whether the start of the log was removed up to a slot, or beyond it. */
export async function isRemoved(target: ReplicaTarget, slot: number): Promise<boolean> {
  const [first] = await target.list('log/');
  return first !== undefined && slotOfName(first) > slot;
}

/** Whether a log has slots after one. */
export async function hasSlotsAfter(target: ReplicaTarget, slot: number): Promise<boolean> {
  return (await target.list('log/', slotName(slot))).length > 0;
}

function isSame(a: FramePoint, b: FramePoint): boolean {
  return a.position === b.position && a.digest === b.digest;
}

function unfollowable(detail: string): Error {
  return new AgentkeepError('store_incompatible', {
    message:
      'The replication target lacks the last commit of this data directory, so the directory ' +
      'cannot follow it. Follow the target into an empty directory; or, if this directory has ' +
      'what counts, let it take the target over with `agentkeep promote --new-generation`.',
    cause: new Error(detail),
  });
}
