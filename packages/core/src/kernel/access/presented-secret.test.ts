/** A remembered secret is read as it was the first time, and only proved ones are remembered. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatSecret, type Secret, SecretReader, verifierOf } from './secret.js';

const id = '01934f2a-7c1b-7000-8000-1234567890ab';
const sessionId = '01934f2a-7c1b-7000-8000-1234567890ac';

function newSecret(kind: Secret['kind'] = 'ak1'): { text: string; verifier: string } {
  const session = kind === 'ak1' || kind === 'akg1' ? {} : { sessionId };
  const secret = { kind, id, ...session, bytes: new Uint8Array(randomBytes(32)) };
  return { text: formatSecret(secret), verifier: verifierOf(secret) };
}

test.each(['ak1', 'akg1', 'akst1', 'aksg1', 'akr1'] as const)(
  'a proved secret of kind %s is read again as the first time',
  (kind) => {
    const reader = new SecretReader();
    const { text, verifier } = newSecret(kind);
    const first = reader.read(text);
    expect(first?.proves(verifier)).toBe(true);
    expect(reader.size).toBe(1);
    const again = reader.read(text);
    expect({ ...again, proves: null }).toEqual({ ...first, proves: null });
    expect(again?.proves(verifier)).toBe(true);
    expect(again?.proves(newSecret(kind).verifier)).toBe(false);
    expect(reader.read(`${text}A`)).toBeUndefined();
  },
);

test('a secret that proves nothing is not remembered', () => {
  const reader = new SecretReader();
  const { text } = newSecret();
  expect(reader.read(text)?.proves(newSecret().verifier)).toBe(false);
  expect(reader.read('ak1_wrong')).toBeUndefined();
  expect(reader.read('other')).toBeUndefined();
  expect(reader.size).toBe(0);
});

test('the memo is bounded, and keeps what is used', () => {
  const entriesMax = 4;
  const reader = new SecretReader(entriesMax);
  const used = newSecret();
  expect(reader.read(used.text)?.proves(used.verifier)).toBe(true);
  for (let index = 0; index < 50; index += 1) {
    const { text, verifier } = newSecret();
    expect(reader.read(text)?.proves(verifier)).toBe(true);
    expect(reader.read(used.text)?.proves(used.verifier)).toBe(true);
    expect(reader.size).toBeLessThanOrEqual(2 * entriesMax);
  }
});
