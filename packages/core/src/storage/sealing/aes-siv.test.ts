/** The vector of RFC 5297, and agreement with an implementation of its own. */
import { randomBytes } from 'node:crypto';
import { aessiv } from '@noble/ciphers/aes.js';
import { describe, expect, it } from 'vitest';
import { SivKey } from './aes-siv.js';

const associated = Buffer.from('store key');

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('AES-SIV', () => {
  it('seals the vector of appendix A.1', () => {
    const key = new SivKey(
      hex('fffefdfc fbfaf9f8 f7f6f5f4 f3f2f1f0 f0f1f2f3 f4f5f6f7 f8f9fafb fcfdfeff'),
    );
    const header = hex('10111213 14151617 18191a1b 1c1d1e1f 20212223 24252627');
    const content = hex('11223344 55667788 99aabbcc ddee');
    const sealed = hex('85632d07 c6e8f37f 950acd32 0a2ecc93 40c02b96 90c4dc04 daef7f6a fe5c');
    expect(key.seal(content, header)).toEqual(sealed);
    expect(key.open(sealed, header)).toEqual(content);
  });

  it('agrees with @noble/ciphers for texts and associated data of all lengths', () => {
    for (let length = 0; length < 600; length += 1) {
      const key = randomBytes(64);
      const content = randomBytes(length);
      const each = randomBytes((length * 7) % 131);
      const sealed = new SivKey(key).seal(content, each);
      expect(sealed).toEqual(Buffer.from(aessiv(key, each).encrypt(content)));
      expect(new SivKey(key).open(sealed, each)).toEqual(content);
    }
  });

  it('gives the same bytes again, whatever was sealed between', () => {
    const key = new SivKey(randomBytes(64));
    const first = key.seal(Buffer.from('content'), associated);
    key.seal(randomBytes(100), randomBytes(40));
    key.open(randomBytes(50), associated);
    expect(key.seal(Buffer.from('content'), associated)).toEqual(first);
  });

  it('opens nothing that was changed', () => {
    const secret = randomBytes(64);
    const key = new SivKey(secret);
    const sealed = key.seal(Buffer.from('a content of more than one block'), associated);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(key.open(changed, associated)).toBeUndefined();
    }
    expect(key.open(sealed, Buffer.from('other key'))).toBeUndefined();
    expect(key.open(sealed.subarray(0, 15), associated)).toBeUndefined();
    expect(new SivKey(randomBytes(64)).open(sealed, associated)).toBeUndefined();
  });

  it('refuses keys of another size', () => {
    expect(() => new SivKey(Buffer.alloc(40))).toThrow('cipher');
  });
});
