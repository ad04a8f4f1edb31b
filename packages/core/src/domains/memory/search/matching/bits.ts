/** Sets of up to 32 terms, as the bits of a number. */

/** Returns the bit of the term at an index. */
export function bitAt(index: number): number {
  return (1 << index) >>> 0;
}

/** Returns the bits of the first terms. */
export function bitsBelow(terms: number): number {
  return terms === 0 ? 0 : 0xffffffff >>> (32 - terms);
}

/** Returns the index of the only bit that is set. */
export function indexOfBit(bit: number): number {
  return 31 - Math.clz32(bit);
}

/** Returns how many bits are set. */
export function bitCount(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Returns the indexes of the bits that are set, ascending. */
export function indexesOf(bits: number): number[] {
  const indexes: number[] = [];
  for (let left = bits; left !== 0; left &= left - 1) indexes.push(31 - Math.clz32(left & -left));
  return indexes;
}
