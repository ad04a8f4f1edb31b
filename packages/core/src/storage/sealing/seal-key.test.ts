/** Contents of any length, their padding, and nonces that never come twice. */
import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
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

test('a sealed content is a nonce, and what OpenSSL opens to the content with its padding', () => {
  const secret = randomBytes(32);
  const sealed = SealKey.derived(secret, 'seal').seal(Buffer.from('content'), associated);
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'agentkeep seal', 32));
  const nonce = sealed.subarray(0, 12);
  const opening = createDecipheriv('aes-256-ocb', key, nonce, { authTagLength: 16 });
  opening.setAAD(associated).setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([opening.update(sealed.subarray(12, -16)), opening.final()]);
  expect(opened.toString('latin1')).toBe('content\x80\0\0\0\0\0\0\0\0');
});

test('no nonce comes twice, for one key or for keys of the same secret', () => {
  const secret = randomBytes(32);
  const nonces = new Set<string>();
  for (let turn = 0; turn < 10; turn += 1) {
    const key = new SealKey(secret);
    for (let index = 0; index < 200; index += 1) {
      nonces.add(key.seal(Buffer.from('content'), associated).toString('hex', 0, 12));
    }
  }
  expect(nonces.size).toBe(2_000);
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
});
