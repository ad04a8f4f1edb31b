/** Vectors of RFC 7253, and agreement with OpenSSL. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CODE_BYTES, OcbKey } from './aes-ocb.js';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const counted = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => at));

/** From appendix A, with texts of whole blocks: end of the nonce, lengths, ciphertext. */
const vectors: readonly (readonly [string, associated: number, text: number, sealed: string])[] = [
  ['00', 0, 0, '785407bfffc8ad9edcc5520ac9111ee6'],
  ['02', 8, 0, '81017f8203f081277152fade694a0a00'],
  ['04', 16, 16, '571d535b60b277188be5147170a9a22c3ad7a4ff3835b8c5701c1ccec8fc3358'],
  ['05', 16, 0, '8cf761b6902ef764462ad86498ca6b97'],
  ['06', 0, 16, '5ce88ec2e0692706a915c00aeb8b2396f40e1c743f52436bdf06d8fa1eca343d'],
];

interface Sealing {
  readonly nonce: Uint8Array;
  readonly text: Uint8Array;
  readonly associated: Uint8Array;
}

function sealed(key: OcbKey, { nonce, text, associated }: Sealing): Buffer {
  const bytes = Buffer.concat([text, Buffer.alloc(CODE_BYTES)]);
  key.seal(bytes, nonce, associated);
  return bytes;
}

function sealedByOpenSsl(key: Uint8Array, { nonce, text, associated }: Sealing): Buffer {
  const cipher = createCipheriv('aes-256-ocb', key, nonce, { authTagLength: CODE_BYTES });
  cipher.setAAD(associated);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

describe('AES-OCB', () => {
  it.each(vectors)('seals the vector with the nonce …%s', (last, associated, text, expected) => {
    const key = new OcbKey(counted(16));
    const nonce = hex(`bbaa998877665544332211${last}`);
    const sealing = { nonce, text: counted(text), associated: counted(associated) };
    expect(sealed(key, sealing).toString('hex')).toBe(expected);
    expect(key.open(nonce, hex(expected), sealing.associated)).toEqual(sealing.text);
  });

  it('agrees with OpenSSL for associated data of all lengths and any nonce', () => {
    for (let length = 0; length < 200; length += 1) {
      const secret = randomBytes(32);
      const key = new OcbKey(secret);
      const nonce = randomBytes(12);
      const sealing = { nonce, text: randomBytes(length * 16), associated: randomBytes(length) };
      const bytes = sealed(key, sealing);
      expect(bytes).toEqual(sealedByOpenSsl(secret, sealing));
      expect(key.open(nonce, bytes, sealing.associated)).toEqual(sealing.text);
    }
  });

  it('agrees with OpenSSL for texts beyond the memory that it keeps', () => {
    const secret = randomBytes(32);
    for (const blocks of [4_090, 4_096, 5_000, 70_000]) {
      const text = randomBytes(blocks * 16);
      const sealing = { nonce: randomBytes(12), text, associated: randomBytes(60) };
      const key = new OcbKey(secret);
      const bytes = sealed(key, sealing);
      expect(bytes.equals(sealedByOpenSsl(secret, sealing))).toBe(true);
      expect(key.open(sealing.nonce, bytes, sealing.associated)?.equals(text)).toBe(true);
    }
  });

  it('agrees with OpenSSL for nonces that differ in their last bits', () => {
    const secret = randomBytes(32);
    const key = new OcbKey(secret);
    const nonce = randomBytes(12);
    for (let last = 0; last < 256; last += 1) {
      nonce[11] = last;
      const sealing = { nonce, text: counted(32), associated: counted(20) };
      expect(sealed(key, sealing)).toEqual(sealedByOpenSsl(secret, sealing));
    }
  });

  it('opens nothing that was changed', () => {
    const key = new OcbKey(randomBytes(32));
    const nonce = randomBytes(12);
    const associated = Buffer.from('store key');
    const bytes = sealed(key, { nonce, text: randomBytes(48), associated });
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(key.open(nonce, changed, associated)).toBeUndefined();
    }
    expect(key.open(randomBytes(12), bytes, associated)).toBeUndefined();
    expect(key.open(nonce, bytes, Buffer.from('other key'))).toBeUndefined();
    expect(key.open(nonce, bytes.subarray(16), associated)).toBeUndefined();
    expect(key.open(nonce, bytes.subarray(0, 15), associated)).toBeUndefined();
    expect(new OcbKey(randomBytes(32)).open(nonce, bytes, associated)).toBeUndefined();
  });

  it('refuses keys of another size', () => {
    expect(() => new OcbKey(Buffer.alloc(20))).toThrow('cipher');
  });
});
