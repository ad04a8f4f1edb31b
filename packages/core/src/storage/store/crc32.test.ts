/** The checksum is that of zlib. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continueCrc32, crc32OfKey } from './value.js';

test('continues a checksum as zlib does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (one, two) => {
      const whole = Buffer.concat([one, two]);
      expect(continueCrc32(whole, one.length, crc32(one))).toBe(crc32(whole));
    }),
  );
});

test('the checksum of a key is that of zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (key) => {
      expect(crc32OfKey(key)).toBe(crc32(key));
    }),
  );
});
