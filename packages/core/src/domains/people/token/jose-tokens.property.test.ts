/** A token is refused after a change of any of its characters. */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../testing/manual-clock.js';
import { JoseTokens } from './jose-tokens.js';
import { signingKeyFromPem } from './rsa-key.js';
import { SigningKeys } from './signing-keys.js';
import { testStore } from '@agentkeep/testkit/test-store';

const START_MS = Date.UTC(2030, 0, 1);
const END_MS = START_MS + 86_400_000;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const tokens = new JoseTokens({
  issuer: 'agentkeep',
  audience: 'agentkeep',
  ttlSecs: 3_600,
  keys: new SigningKeys({
    store: testStore(),
    clock: new ManualClock(),
    given: { signing: signingKeyFromPem('key', pem), additional: undefined },
  }),
});

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((value) => value.isWellFormed() && value.trim() !== '' && !/\p{Cc}/u.test(value));
const claims = fc.record({
  accountId: fc.uuid({ version: 7 }),
  tenantId: fc.option(text),
  username: text,
  roles: fc.uniqueArray(fc.stringMatching(/^[A-Za-z][\w-]{0,15}$/), { maxLength: 8 }),
  sessionId: fc.uuid({ version: 7 }),
  jti: fc.uuid({ version: 4 }),
  bound: fc.option(
    fc.record({ credentialId: fc.uuid({ version: 7 }), revision: fc.integer({ min: 1 }) }),
  ),
});

test('a token states any valid username', async () => {
  await fc.assert(
    fc.asyncProperty(claims, async (stated) => {
      const { token } = await tokens.issue(stated, START_MS, END_MS);
      expect(await tokens.verify(token, START_MS)).toMatchObject(stated);
    }),
    { numRuns: 50 },
  );
});

test('a token with one character changed is refused', async () => {
  const [stated] = fc.sample(claims, 1);
  if (stated === undefined) throw new Error('unexpected');
  const { token } = await tokens.issue(stated, START_MS, END_MS);
  const change = fc.tuple(
    fc.nat({ max: token.length - 1 }),
    fc.oneof(
      fc.constantFrom(...Array.from(BASE64URL), '.', '=', ' '),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(change, async ([at, character]) => {
      fc.pre(token[at] !== character);
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      expect(await tokens.verify(changed, START_MS)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test('a token with one bit of its last character changed is refused', async () => {
  const [stated] = fc.sample(claims, 1);
  if (stated === undefined) throw new Error('unexpected');
  const { token } = await tokens.issue(stated, START_MS, END_MS);
  for (const character of BASE64URL) {
    const changed = token.slice(0, -1) + character;
    expect((await tokens.verify(changed, START_MS)) !== undefined).toBe(changed === token);
  }
});

test('no other text is accepted, and none throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), async (any) => {
      expect(await tokens.verify(any, START_MS)).toBeUndefined();
    }),
  );
});
