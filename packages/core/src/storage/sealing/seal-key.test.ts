/** Contents of any length, published vectors, and nonces that do not come twice. */
import { hkdfSync, randomBytes, webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { SealKey, sealedSize } from './seal-key.js';

const associated = Buffer.from('store key');

test('contents of all lengths are opened as they were', () => {
  const key = new SealKey(randomBytes(32));
  for (let length = 0; length < 100; length += 1) {
    for (const content of [randomBytes(length), Buffer.alloc(length), Buffer.alloc(length, 0x80)]) {
      const sealed = key.seal(content, associated);
      expect(sealed.length).toBe(sealedSize(length));
      expect(key.open(sealed, associated)).toEqual(content);
    }
  }
});

/** Test cases 13, 14 and 16 of the paper that defines GCM (McGrew and Viega, appendix B). */
test.each([
  ['00'.repeat(32), '00'.repeat(12), '', '', '', '530f8afbc74536b9a963b4f1c4cb738b'],
  [
    ...['00'.repeat(32), '00'.repeat(12), '', '00'.repeat(16)],
    ...['cea7403d4d606b6e074ec5d3baf39d18', 'd0d1c8a799996bf0265b98b5d48ab919'],
  ],
  [
    'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
    'cafebabefacedbaddecaf888',
    'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
    '76fc6ece0f4e1768cddf8853bb2d551b',
  ],
])('a sealed content is a nonce, a ciphertext and a tag of GCM: %s %s', (...vector) => {
  const [key, nonce, data, text, cipher, tag] = vector.map((part) => Buffer.from(part, 'hex'));
  if (!key || !nonce || !data || !text || !cipher || !tag) throw new Error('incomplete vector');
  expect(new SealKey(key).open(Buffer.concat([nonce, cipher, tag]), data)).toEqual(text);
});

test('Web Crypto opens what was sealed, with the key that HKDF derives', async () => {
  const secret = randomBytes(32);
  const sealed = SealKey.derived(secret, 'seal').seal(Buffer.from('content'), associated);
  const derived = Buffer.from(hkdfSync('sha256', secret, '', 'agentkeep seal', 32));
  const key = await webcrypto.subtle.importKey('raw', derived, 'AES-GCM', false, ['decrypt']);
  const use = { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: associated };
  const opened = await webcrypto.subtle.decrypt(use, key, sealed.subarray(12));
  expect(Buffer.from(opened).toString()).toBe('content');
});

test('no nonce comes twice, for one key or for keys of the same secret', () => {
  const secret = randomBytes(32);
  const nonces = new Set<string>();
  const first = new SealKey(secret);
  // More than the count of a nonce holds.
  for (let turn = 0; turn < 140_000; turn += 1) {
    nonces.add(first.seal(new Uint8Array(), associated).toString('latin1', 0, 12));
  }
  for (let turn = 0; turn < 1_000; turn += 1) {
    nonces.add(new SealKey(secret).seal(new Uint8Array(), associated).toString('latin1', 0, 12));
  }
  expect(nonces.size).toBe(141_000);
});

test('nothing that was changed or cut is opened', () => {
  const key = new SealKey(randomBytes(32));
  const sealed = key.seal(Buffer.from('a content of more than one block'), associated);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(key.open(changed, associated)).toBeUndefined();
    expect(key.open(sealed.subarray(0, at), associated)).toBeUndefined();
  }
  expect(key.open(sealed, Buffer.from('another key'))).toBeUndefined();
});
