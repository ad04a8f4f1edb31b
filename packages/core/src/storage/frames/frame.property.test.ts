/** Frames come back as they were encoded, and damaged ones never do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyText } from '../store/bytes.js';
import { decodeFrame, digestOfFrame, encodeFrame, FrameEncoder, pointOfFrame } from './frame.js';

const bytes = (max: number) => fc.uint8Array({ minLength: 0, maxLength: max });
const digest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((each) => Buffer.from(each).toString('hex'));
const frame = fc.record({
  position: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
  timeMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  previous: digest,
  writes: fc.array(
    fc.tuple(
      fc.uint8Array({ minLength: 1, maxLength: 1_978 }).map(keyText),
      fc.option(bytes(3_000), { nil: undefined }),
    ),
  ),
});

/** Values are views of the encoded bytes, which are compared as plain ones. */
const plain = (decoded: ReturnType<typeof decodeFrame>) => ({
  ...decoded,
  writes: decoded.writes.map(([key, value]) => [key, value && Uint8Array.from(value)]),
});

test('a decoded frame equals the one that was encoded', () => {
  fc.assert(
    fc.property(frame, (given) => {
      const encoded = encodeFrame(given);
      expect(plain(decodeFrame(encoded))).toEqual(given);
      const point = { position: given.position, timeMs: given.timeMs };
      expect(pointOfFrame(encoded)).toEqual({ ...point, digest: digestOfFrame(encoded) });
    }),
  );
});

test('an encoder that is used again encodes as a new one does', () => {
  const encoder = new FrameEncoder();
  fc.assert(
    fc.property(frame, ({ writes, ...head }) => {
      encoder.begin();
      expect(encoder.isEmpty).toBe(true);
      for (const [key, value] of writes) encoder.add(key, value);
      expect(Buffer.compare(encoder.end(head), encodeFrame({ ...head, writes }))).toBe(0);
    }),
  );
});

test('a frame with a changed bit or a part of it is refused', () => {
  fc.assert(
    fc.property(frame, fc.nat(), fc.nat({ max: 7 }), (given, place, bit) => {
      const encoded = Buffer.from(encodeFrame(given));
      const at = place % encoded.length;
      expect(() => decodeFrame(encoded.subarray(0, at))).toThrow();
      encoded[at] = (encoded[at] ?? 0) ^ (1 << bit);
      expect(() => decodeFrame(encoded)).toThrow(
        expect.objectContaining({ code: 'storage_inconsistency' }),
      );
    }),
  );
});
