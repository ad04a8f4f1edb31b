/**
 * Views of the two buffers that LMDB reads into, made once per length instead of once per read.
 * @module
 */

/** Lengths for which a view is kept; longer ones are rare and cost little beside their copy. */
const KEPT_LENGTHS = 4_096;

/** Lends out a stretch of a buffer that begins where the last one did. */
export type LendView = (memory: ArrayBufferLike, offset: number, length: number) => Uint8Array;

/**
 * Makes a lender. All its views show the same memory, so each loan ends with the next read, which
 * is what the port promises and no more.
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
