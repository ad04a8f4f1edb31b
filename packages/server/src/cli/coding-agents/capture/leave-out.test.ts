/** What is left out of a text before anything is written. */
import { expect, test } from 'vitest';
import { storable } from './leave-out.js';

// Put together here, so that no scanner of secrets takes this file for a leak.
const secrets = [
  ['AWS', `AKIAABCDEFGH12345678`],
  ['GitHub', `ghp_${'a1b2c3d4e5'.repeat(4)}`],
  ['GitHub, fine-grained', `github_pat_${'11ABCDEFG0'.repeat(4)}`],
  ['GitLab', `glpat-${'x1y2z3w4v5'.repeat(2)}`],
  ['Slack', `xoxb-1234567890-abcdef`],
  ['Anthropic', `sk-ant-api03-${'Ab1_'.repeat(10)}`],
  ['OpenAI', `sk-proj-${'Ab1'.repeat(12)}`],
  ['Stripe', `sk_live_4eC39HqLyjWDarjtT1zdp7dc`],
  ['Google', `AIza${'SyA1b2C3d4E5'.repeat(3)}`],
  ['npm', `npm_${'a1B2c3D4e5F6'.repeat(3)}`],
  ['Hugging Face', `hf_${'a1B2c3D4e5F6'.repeat(3)}`],
  ['JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.SflKxwRJSMeKKF2QT4`],
  ['Agentkeep', `ak1_${'0123456789abcdef'.repeat(2)}_${'Ab1-'.repeat(11)}`],
] as const;

test.each(secrets)('a token of %s', (_name, secret) => {
  expect(storable(`before ${secret} after`)).toBe('before [secret left out] after');
});

test('a private key, also one that is cut off', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----`;
  expect(storable(`a ${key} b`)).toBe('a [secret left out] b');
  expect(storable(`a ${key.slice(0, 40)}`)).toBe('a [secret left out]');
});

test.each([
  ['password = hunter2hunter2', 'password = [secret left out]'],
  ['DB_PASSWORD="a b c d e f"', 'DB_PASSWORD=[secret left out]'],
  ['{"api_key": "abcdefgh"}', '{"api_key": [secret left out]}'],
  ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [secret left out]'],
  ['postgres://ann:hunter2@db/shop', 'postgres://ann:[secret left out]@db/shop'],
])('%s', (text, kept) => {
  expect(storable(text)).toBe(kept);
});

test.each([
  'The password is asked for at each start.',
  'Use the sk-learn package, and https://keep.example/a@b for it.',
  'The commit 3f786850e387550fdab836ed7e6dc881de23001b broke it.',
])('an ordinary sentence stays: %s', (text) => {
  expect(storable(text)).toBe(text);
});

test('private parts, nested, unclosed, and in any case', () => {
  expect(storable('a <private>b <private>c</private> d</private> e')).toBe('a  e');
  expect(storable('a <Private reason="x">b')).toBe('a');
  expect(storable('<private>all</private>')).toBe('');
});

test('what a hook put in is not stored again', () => {
  expect(storable('a\n<agentkeep-recalled>\nold\n</agentkeep-recalled>')).toBe('a');
});

test('a long text is cut, and a secret at the cut is left out whole', () => {
  const secret = `ghp_${'a1b2c3d4e5'.repeat(4)}`;
  const kept = storable(`${'x '.repeat(7_995)}${secret} ${'y'.repeat(100_000)}`);
  expect(kept).not.toContain('ghp_');
  expect(kept.length).toBeLessThan(16_100);
});
