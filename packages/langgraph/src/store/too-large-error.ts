/** The error for content that is too large to store. */

/** An item, or a batch that may not be split, is larger than one commit can be. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  /** The thing that is too large. */
  readonly subject: 'item' | 'batch';
  /** Bytes of the commands, as JSON. */
  readonly bytes: number;
  /** The bound that it exceeds. */
  readonly bytesMax: number;

  constructor(subject: 'item' | 'batch', bytes: number, bytesMax: number) {
    const advice = {
      item: 'Keep large contents elsewhere, and store where they are.',
      batch: 'Write fewer items at once, or leave `largeBatches` at "split".',
    };
    super(`The ${subject} takes ${bytes} of at most ${bytesMax} bytes. ${advice[subject]}`);
    this.subject = subject;
    this.bytes = bytes;
    this.bytesMax = bytesMax;
  }
}
