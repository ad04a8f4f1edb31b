/** Applies the slots of a log to a copy of the store, up to a moment. */
import type { FrameApplier } from './apply-frames.js';
import {
  digestOfFrame,
  frameHead,
  type FramePoint,
  pointOfFrame,
} from '../../../storage/frames/frame.js';
import { countUpTo, type Moment } from './replica-moment.js';
import type { ReplicaTarget } from '../targets/replica-target.js';
import { damagedSlot, framesOf, type Slot } from '../log/replica-slot.js';
import { slotsAfter } from '../log/verify-slots.js';

/** How far a copy of a store has come in a log. */
export interface Progression {
  readonly store: string;
  readonly generation: number;
  /** The last slot of the log that was read. */
  readonly slot: number;
  /** The last frame that the copy has. */
  readonly last: FramePoint;
}

/**
 * Applies what follows in the log, slot by slot, and yields where that leads. Ends at the moment,
 * at the end of the log, or where another generation begins.
 * @throws {AgentkeepError} as `slotsAfter` does.
 */
export async function* applySlots(
  target: ReplicaTarget,
  copy: FrameApplier,
  from: Progression,
  moment: Moment = {},
): AsyncGenerator<Progression, undefined> {
  let at = from;
  // What lies behind the moment need not verify.
  if (at.last.position === moment.position) return undefined;
  for await (const slot of slotsAfter(target, from.slot, from.store)) {
    if (slot.head.generation !== at.generation) return undefined;
    const frames = await framesAfter(slot, at.last);
    const count = countUpTo(frames.map(frameHead), moment);
    const taken = frames.slice(0, count);
    const last = taken.at(-1);
    if (last !== undefined) copy.apply(taken);
    at = { ...at, slot: slot.head.slot, last: last === undefined ? at.last : pointOfFrame(last) };
    yield at;
    if (count < frames.length || at.last.position === moment.position) return undefined;
  }
  return undefined;
}

/** Returns the frames of a slot after a point, which is in it or right before it. */
async function framesAfter(slot: Slot, last: FramePoint): Promise<Uint8Array[]> {
  const frames = await framesOf(slot);
  const known = frames.findLast((frame) => frameHead(frame).position <= last.position);
  const rest = known === undefined ? frames : frames.slice(frames.indexOf(known) + 1);
  const [next] = rest;
  const follows =
    next === undefined
      ? known === undefined || isPointOrBefore(known, last)
      : frameHead(next).position === last.position + 1 && frameHead(next).previous === last.digest;
  if (follows) return rest;
  throw damagedSlot(slot.head.slot, `its frames do not follow the frame ${last.position}`);
}

function isPointOrBefore(frame: Uint8Array, last: FramePoint): boolean {
  return frameHead(frame).position < last.position || digestOfFrame(frame) === last.digest;
}
