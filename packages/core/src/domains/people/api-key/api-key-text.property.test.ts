/** API keys with random typing errors. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isApiKey, newApiKey } from './api-key-text.js';

const seed = fc.uint8Array({ minLength: 40, maxLength: 40, max: 247 });
const key = seed.map((bytes) => newApiKey({ bytes: () => bytes }));
const anyChar = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });

test('generated keys are valid, and different random parts give different keys', () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      expect(isApiKey(one)).toBe(true);
      expect(one === other).toBe(one.slice(8, 40) === other.slice(8, 40));
    }),
  );
});

test('a key with one changed character is refused', () => {
  fc.assert(
    fc.property(key, fc.nat(45), anyChar, (good, at, char) => {
      fc.pre(char !== good.charAt(at));
      expect(isApiKey(good.slice(0, at) + char + good.slice(at + 1))).toBe(false);
    }),
  );
});

test('a key with two swapped neighbours is refused', () => {
  fc.assert(
    fc.property(key, fc.nat(44), (good, at) => {
      const [one, other] = [good.charAt(at), good.charAt(at + 1)];
      fc.pre(one !== other);
      expect(isApiKey(good.slice(0, at) + other + one + good.slice(at + 2))).toBe(false);
    }),
  );
});
