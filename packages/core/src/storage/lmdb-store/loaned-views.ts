/**
 * Views of the two buffers that LMDB reads into, created once per length instead of once per read.
 */

/** Views up to this length are kept. Longer ones are rare and cheap compared to their copy. */
const KEPT_LENGTHS = 4_096;

/** Returns a view of a buffer. The offset must be the same in all calls for one buffer. */
export type LendView = (memory: ArrayBufferLike, offset: number, length: number) => Uint8Array;

/**
 * Creates a function that lends views. All views share the same memory, so each loan ends with the
 * next read, as the port allows.
 */
export function loanedViews(): LendView {
  let knownMemory: ArrayBufferLike | undefined;
  let knownOffset = -1;
  let views: (Uint8Array | undefined)[] = [];
  return (memory, offset, length) => {
    if (memory !== knownMemory || offset !== knownOffset) {
      knownMemory = memory;
      knownOffset = offset;
      views = [];
    }
    if (length > KEPT_LENGTHS) return Buffer.from(memory, offset, length);
    return (views[length] ??= Buffer.from(memory, offset, length));
  };
}
