/** Frames of data directories that only tests have. */
import {
  encodeFrame,
  type FramePoint,
  NO_FRAME,
  pointOfFrame,
} from '../src/storage/frames/frame.js';

/** A chain of frames, as one data directory makes them. */
export class FrameChain {
  readonly #name: string;
  #last: FramePoint;
  #made = 0;
  /** All frames so far. */
  readonly frames: Uint8Array[] = [];

  constructor(name: string, last: FramePoint = NO_FRAME) {
    this.#name = name;
    this.#last = last;
  }

  /** The last frame. */
  get last(): FramePoint {
    return this.#last;
  }

  /** Continues after another frame, which is elsewhere. */
  follow(last: FramePoint): void {
    this.#last = last;
    this.frames.length = 0;
  }

  /** Makes frames of one write each, which differ from those of other chains. */
  add(count = 1, bytes = 8): Uint8Array[] {
    const made = Array.from({ length: count }, () => {
      const { position, timeMs, digest: previous } = this.#last;
      this.#made += 1;
      const text = `${this.#name} ${this.#made} `.padEnd(bytes, '.');
      const frame = encodeFrame({
        position: position + 1,
        timeMs: timeMs + 1_000,
        previous,
        writes: [['key', Buffer.from(text)]],
      });
      this.#last = pointOfFrame(frame);
      return Uint8Array.from(frame);
    });
    this.frames.push(...made);
    return made;
  }
}
