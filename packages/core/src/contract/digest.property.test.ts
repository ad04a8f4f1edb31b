/**
 * The portable digests and those of Node agree on every input.
 */
import * as crypto from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeDigests, portableDigests, sha256, sha256Text } from './digest.js';

const node = nodeDigests(crypto);
const encodings = ['hex', 'base64url'] as const;

/** Text with any code unit, lone surrogates included, or bytes. */
const data = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }),
);

test('SHA-256 is the same in bytes and in text', () => {
  fc.assert(
    fc.property(data, (input) => {
      expect(Buffer.from(portableDigests.sha256(input))).toEqual(Buffer.from(node.sha256(input)));
      for (const encoding of encodings) {
        const text = portableDigests.sha256Text(input, encoding);
        expect(text).toBe(node.sha256Text(input, encoding));
      }
    }),
  );
});

test('SHA-256 of parts is that of the whole', () => {
  fc.assert(
    fc.property(fc.array(data, { maxLength: 5 }), (parts) => {
      const whole = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
      for (const digests of [portableDigests, node]) {
        const stream = digests.sha256Stream();
        for (const part of parts) stream.update(part);
        expect(Buffer.from(stream.digest())).toEqual(Buffer.from(sha256(whole)));
      }
    }),
  );
});

test('HMAC-SHA-256 is the same, also for keys longer than a block', () => {
  fc.assert(
    fc.property(data, data, (key, input) => {
      for (const encoding of encodings) {
        const text = crypto.createHmac('sha256', key).update(input).digest(encoding);
        expect(portableDigests.hmacSha256(key)(input, encoding)).toBe(text);
        expect(node.hmacSha256(key)(input, encoding)).toBe(text);
      }
    }),
  );
});

test('gives the test vectors of FIPS 180-4', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256Text('abc', 'hex')).toBe(abc);
  expect(portableDigests.sha256Text('abc', 'hex')).toBe(abc);
});

test('a digest owns its bytes', () => {
  const digest = sha256('abc');
  expect(digest.buffer.byteLength).toBe(digest.byteLength);
});
