/** The checksum is that of zlib. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continueCrc32 } from './crc32.js';

test('continues a checksum as zlib does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (one, two) => {
      const whole = Buffer.concat([one, two]);
      expect(continueCrc32(whole, one.length, crc32(one))).toBe(crc32(whole));
    }),
  );
});
