/** The checksum of a key is its CRC-32. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyChecksum } from './key-checksum.js';

test('the checksum of a key is that of zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (key) => {
      expect(keyChecksum(key)).toBe(crc32(key));
    }),
  );
});
