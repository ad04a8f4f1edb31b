/** The test vectors of https://c2sp.org/XAES-256-GCM. */
import { createHash } from 'node:crypto';
import { shake128 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { XaesKey } from './xaes-256-gcm.js';

function sealed(key: Uint8Array, nonce: Uint8Array, content: Uint8Array, associated: Uint8Array) {
  return Buffer.concat(new XaesKey(key).seal(nonce, content, associated));
}

const nonce = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWX');
const content = Buffer.from('XAES-256-GCM');

describe('XAES-256-GCM', () => {
  it.each([
    [0x01, '', 'ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271'],
    [0x03, 'c2sp.org/XAES-256-GCM', '986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d'],
  ])('seals the vector of key %i', (byte, associated, expected) => {
    const key = Buffer.alloc(32, byte);
    const bytes = sealed(key, nonce, content, Buffer.from(associated));
    expect(bytes.toString('hex')).toBe(expected);
    expect(new XaesKey(key).open(nonce, bytes, Buffer.from(associated))).toEqual(content);
  });

  it('gives the accumulated digest of 10,000 random inputs', () => {
    // One SHAKE-128 without input gives the bytes; it is expanded once.
    const stream = shake128(new Uint8Array(), { dkLen: 3_500_000 });
    const digest = createHash('shake128', { outputLength: 32 });
    let at = 0;
    const take = (count: number): Uint8Array => stream.subarray(at, (at += count));
    for (let round = 0; round < 10_000; round += 1) {
      const key = take(32);
      const each = take(24);
      const text = take(take(1)[0] ?? 0);
      const associated = take(take(1)[0] ?? 0);
      const bytes = sealed(key, each, text, associated);
      digest.update(bytes);
      const opened = new XaesKey(key).open(each, bytes, associated);
      if (opened === undefined || !opened.equals(text)) throw new Error(`Round ${round} fails.`);
    }
    const expected = 'e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939';
    expect(digest.digest('hex')).toBe(expected);
  });

  it('opens nothing that was changed', () => {
    const key = Buffer.alloc(32, 1);
    const associated = Buffer.from('store key');
    const bytes = sealed(key, nonce, content, associated);
    const xaes = new XaesKey(key);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(xaes.open(nonce, changed, associated)).toBeUndefined();
    }
    expect(xaes.open(nonce, bytes, Buffer.from('other key'))).toBeUndefined();
    expect(xaes.open(nonce, bytes.subarray(0, 15), associated)).toBeUndefined();
    expect(new XaesKey(Buffer.alloc(32, 2)).open(nonce, bytes, associated)).toBeUndefined();
  });

  it('refuses keys of another size', () => {
    expect(() => new XaesKey(Buffer.alloc(16))).toThrow('32 bytes');
  });
});
