/** Secrets have one canonical form, and a separate digest for each kind. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { formatSecret, parseSecret, sameVerifier, type Secret, verifierOf } from './secret.js';

const id = '01934f2a-7c1b-7000-8000-1234567890ab';
const sessionId = '01934f2a-7c1b-7000-8000-1234567890ac';
const bytes = new Uint8Array(randomBytes(32));

const secrets: Secret[] = [
  { kind: 'ak1', id, bytes },
  { kind: 'akg1', id, bytes },
  { kind: 'akst1', id, sessionId, bytes },
  { kind: 'aksg1', id, sessionId, bytes },
  { kind: 'akr1', id, sessionId, bytes },
];

describe.each(secrets)('a secret of kind $kind', (secret) => {
  const text = formatSecret(secret);

  test('is parsed as it was formatted', () => {
    const rest = secret.sessionId === undefined ? 77 : 110;
    expect(text.length).toBe(rest + secret.kind.length);
    const read = parseSecret(text);
    expect(read).toMatchObject({ ...secret, bytes: Buffer.from(bytes) });
    expect(read && formatSecret(read)).toBe(text);
  });

  test.each([
    ['another kind', text.replace(/^[^_]+/, 'akx1')],
    ['upper-case hex', text.toUpperCase()],
    ['a missing part', text.slice(0, text.lastIndexOf('_'))],
    ['an extra character', `${text}A`],
    ['unused bits set', text.slice(0, -1) + nextChar(text.slice(-1))],
    ['a trailing newline', `${text}\n`],
  ])('is refused with %s', (_, other) => {
    expect(parseSecret(other)).toBeUndefined();
  });
});

test('the same bytes have a different digest for each kind', () => {
  const verifiers = secrets.map(verifierOf);
  expect(new Set(verifiers).size).toBe(secrets.length);
  expect(sameVerifier(verifiers[0] ?? '', verifiers[0] ?? '')).toBe(true);
  expect(sameVerifier(verifiers[0] ?? '', verifiers[1] ?? '')).toBe(false);
  expect(sameVerifier(verifiers[0] ?? '', '')).toBe(false);
});

function nextChar(char: string): string {
  return String.fromCharCode(char.charCodeAt(0) + 1);
}
