/**
 * Bounded text is measured in bytes and refused only when it is blank or too long.
 */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { hexDigest, textOf } from './text.js';

const accepts = (schema: v.GenericSchema, value: unknown): boolean => v.is(schema, value);

describe('textOf', () => {
  test.each(['a', ' a ', 'a\n', '\0', '\u200B', '\uFEFF', 'é'.repeat(4), '\u{10FFFF}'.repeat(2)])(
    'takes %j',
    (text) => {
      expect(accepts(textOf(8), text)).toBe(true);
    },
  );

  test.each(['', ' ', '\t\n', '\u00A0\u2003\u3000', 'a'.repeat(9), 'é'.repeat(5), 1, null])(
    'refuses %j',
    (text) => {
      expect(accepts(textOf(8), text)).toBe(false);
    },
  );

  test('a bound is a rule and no matter of shape', () => {
    expect(v.safeParse(textOf(1), 'ab').issues?.[0].kind).toBe('validation');
    expect(v.safeParse(textOf(1), 1).issues?.[0].kind).toBe('schema');
  });
});

describe('hexDigest', () => {
  const digest = '0123456789abcdef'.repeat(4);
  test('takes 64 lower-case digits and nothing else', () => {
    expect(accepts(hexDigest(), digest)).toBe(true);
    for (const other of [
      digest.toUpperCase(),
      digest.slice(1),
      `sha256:${digest}`,
      `${digest}\n`,
    ]) {
      expect(accepts(hexDigest(), other)).toBe(false);
    }
  });
});
