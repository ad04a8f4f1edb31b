/** Copies in a value arena stay valid until it is cleared, also those that do not fit. */
import { expect, test } from 'vitest';
import { ValueArena } from './commit-batch.js';

test('an arena keeps copies separate until it is cleared, however many and large they are', () => {
  const arena = new ValueArena();
  for (let round = 0; round < 2; round += 1) {
    const sizes = [0, 1, 600, 100_000, 200_000, 5, 4_194_304, 100_000, 90_000];
    const copies = sizes.map((size, index) => {
      const value = new Uint8Array(size).fill(index + round);
      const copy = arena.copy(value);
      value.fill(0xff);
      return copy;
    });
    for (const [index, copy] of copies.entries()) {
      expect(copy.length).toBe(sizes[index]);
      expect(copy.every((byte) => byte === index + round)).toBe(true);
    }
    arena.clear();
  }
});
