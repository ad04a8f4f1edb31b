/**
 * Claims and lifetime of tokens, and the refusal of everything else: the attacks that RFC 8725
 * lists, and tokens with one wrong detail.
 */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { RSA_BITS_MAX, TOKEN_CHARS_MAX } from '../../../contract/limits.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { JoseTokens, VerifiedTokenCache } from './jose-tokens.js';
import { type SigningKey, signingKeyFromPem } from './rsa-key.js';
import { type GivenKeys, SigningKeys } from './signing-keys.js';
import type { TokenClaims } from '../../../kernel/ports/tokens.js';
import { testStore } from '@agentkeep/testkit/test-store';

const START_MS = Date.UTC(2030, 0, 1);
const START = START_MS / 1_000;
const DAY_MS = 86_400_000;
const parties = { issuer: 'agentkeep', audience: 'agentkeep' };
const claims: TokenClaims = {
  accountId: '0190a8c0-0000-7000-8000-000000000001',
  tenantId: 'acme',
  username: 'änn "the" agent',
  roles: ['Admin', 'Read'],
  sessionId: '0190a8c0-0000-7000-8000-000000000002',
  jti: '4bf3ad2d-92f2-4a6b-9c55-3f9a2e1d7c10',
  bound: { credentialId: '0190a8c0-0000-7000-8000-000000000003', revision: 2 },
};

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return signingKeyFromPem('key', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
}

const key = newKey();
const strangerKey = newKey();

function tokensWith(given: Partial<GivenKeys> = {}, ttlSecs = 3_600): JoseTokens {
  const keys = new SigningKeys({
    store: testStore(),
    clock: new ManualClock(),
    given: { signing: key, additional: undefined, ...given },
  });
  return new JoseTokens({ ...parties, keys, ttlSecs, cache: new VerifiedTokenCache() });
}

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs anything, as an attacker or a careless issuer with this key could. */
function signed(header: unknown, payload: unknown, by: SigningKey = key): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${createSign('sha256').update(input).sign(by.privateKey, 'base64url')}`;
}

const header = { alg: 'RS256', kid: key.jwk.kid, typ: 'JWT' };
const payload = {
  iss: 'agentkeep',
  aud: 'agentkeep',
  sub: claims.accountId,
  username: 'ann',
  roles: ['Read'],
  sid: claims.sessionId,
  jti: claims.jti,
  iat: START,
  exp: START + 3_600,
};

/** Returns the claims without one of them. */
function without(name: keyof typeof payload): object {
  return Object.fromEntries(Object.entries(payload).filter(([each]) => each !== name));
}

const verify = async (token: string, tokens = tokensWith()) => tokens.verify(token, START_MS);

describe('a token', () => {
  test('states what it was issued for, in the header and claims of the contract', async () => {
    const tokens = tokensWith();
    const { token, expiresInSecs } = await tokens.issue(claims, START_MS + 999, START_MS + DAY_MS);
    expect(expiresInSecs).toBe(3_600);
    const [head, body] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(head ?? '')).toEqual(header);
    expect(JSON.parse(body ?? '')).toEqual({
      ...payload,
      username: claims.username,
      roles: ['Admin', 'Read'],
      tenant_id: 'acme',
      cid: claims.bound?.credentialId,
      crev: 2,
    });
    const stated = {
      kind: 'session',
      ...claims,
      issuedAtSecs: START,
      expiresAtSecs: START + 3_600,
    };
    expect(tokens.verify(token, START_MS)).toEqual(stated);
    // Another process must check the signature.
    expect(await verify(token)).toEqual(stated);
  });

  test('of an installation account without a credential omits tenant and credential', async () => {
    const tokens = tokensWith();
    const plain = { ...claims, tenantId: null, bound: null, roles: [] };
    const { token } = await tokens.issue(plain, START_MS, START_MS + DAY_MS);
    expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).not.toMatch(
      /tenant_id|cid|crev/,
    );
    expect(await verify(token)).toMatchObject(plain);
  });

  test('is accepted a second before it expires, and refused when it does', async () => {
    const { token } = await tokensWith().issue(claims, START_MS, START_MS + DAY_MS);
    const endMs = START_MS + 3_600_000;
    for (const tokens of [tokensWith(), tokensWith()]) {
      expect(await tokens.verify(token, endMs)).toBeUndefined();
      expect(await tokens.verify(token, endMs - 1)).toBeDefined();
      expect(await tokens.verify(token, endMs - 1_000)).toBeDefined();
      // Cached by now.
      expect(tokens.verify(token, endMs)).toBeUndefined();
    }
  });

  test('never lives past the end of its chain', async () => {
    const tokens = tokensWith();
    const life = async (untilMs: number): Promise<number> => {
      const { token, expiresInSecs } = await tokens.issue(claims, START_MS + 400, untilMs);
      expect(await tokens.verify(token, untilMs)).toBeUndefined();
      return expiresInSecs;
    };
    expect(await life(START_MS + 1_800_000)).toBe(1_800);
    expect(await life(START_MS + 1_999)).toBe(1);
    expect(await life(START_MS + 600)).toBe(0);
  });

  test('CON-29 with the longest claims is short enough, also under the longest key', async () => {
    const longest = '"'.repeat(256);
    const keys = new SigningKeys({
      store: testStore(),
      clock: new ManualClock(),
      given: { signing: key, additional: undefined },
    });
    const tokens = new JoseTokens({ issuer: longest, audience: longest, keys, ttlSecs: 3_600 });
    const large = {
      ...claims,
      username: longest,
      tenantId: longest,
      roles: Array.from({ length: 32 }, (_, index) => `R${index}`.padEnd(64, 'x')),
    };
    const { token } = await tokens.issue(large, START_MS, START_MS + DAY_MS);
    expect(await tokens.verify(token, START_MS)).toMatchObject(large);
    const charsOf = (bits: number): number => Math.ceil(((bits / 8) * 4) / 3);
    const length = token.length - charsOf(2_048) + charsOf(RSA_BITS_MAX);
    expect(length).toBeLessThanOrEqual(TOKEN_CHARS_MAX);
  });
});

describe('keys', () => {
  test('both verify after a rotation, and the new one signs', async () => {
    const old = tokensWith();
    const { token } = await old.issue(claims, START_MS, START_MS + DAY_MS);
    const { publicKey, jwk } = key;
    const changed = tokensWith({ signing: strangerKey, additional: { publicKey, jwk } });
    const fresh = await changed.issue(claims, START_MS, START_MS + DAY_MS);
    expect(await changed.verify(token, START_MS)).toBeDefined();
    expect(await changed.verify(fresh.token, START_MS)).toBeDefined();
    expect(await old.verify(fresh.token, START_MS)).toBeUndefined();
    expect((await changed.publicKeys()).map(({ kid }) => kid)).toEqual([
      strangerKey.jwk.kid,
      key.jwk.kid,
    ]);
    const done = tokensWith({ signing: strangerKey });
    expect(await done.verify(token, START_MS)).toBeUndefined();
  });

  test('are published without a private member', async () => {
    const { kid, n, e } = key.jwk;
    expect(await tokensWith().publicKeys()).toEqual([
      { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e },
    ]);
  });
});

describe('a forged token is refused', () => {
  test('but a token that is signed here as ours is accepted', async () => {
    expect(await verify(signed(header, payload))).toBeDefined();
  });

  test.each(['none', 'None', 'NONE', 'nOnE', ''])('with the algorithm "%s"', async (alg) => {
    const parts = `${encoded({ ...header, alg })}.${encoded(payload)}`;
    const [, , signature] = signed(header, payload).split('.');
    for (const end of ['', encoded('x'), signature ?? '']) {
      expect(await verify(`${parts}.${end}`)).toBeUndefined();
    }
    expect(await verify(signed({ ...header, alg }, payload))).toBeUndefined();
  });

  test.each(['HS256', 'HS384', 'HS512', 'RS256'])(
    'by an HMAC with the public key as secret, as %s',
    async (alg) => {
      const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
      const der = key.publicKey.export({ format: 'der', type: 'spki' });
      const secrets = [pem, pem.trim(), der, JSON.stringify(key.jwk), key.jwk.n];
      for (const secret of secrets) {
        const input = `${encoded({ ...header, alg })}.${encoded(payload)}`;
        const digest = `sha${alg.slice(2)}`;
        const mac = createHmac(digest, secret).update(input).digest('base64url');
        expect(await verify(`${input}.${mac}`)).toBeUndefined();
      }
    },
  );

  test.each(['RS384', 'RS512', 'PS256', 'ES256', 'EdDSA', 'rs256', 1, null])(
    'with another algorithm, %s',
    async (alg) => {
      expect(await verify(signed({ ...header, alg }, payload))).toBeUndefined();
    },
  );

  test('by another key under our name, its own name or none', async () => {
    const own = { ...header, kid: strangerKey.jwk.kid };
    expect(await verify(signed(header, payload, strangerKey))).toBeUndefined();
    expect(await verify(signed(own, payload, strangerKey))).toBeUndefined();
    expect(await verify(signed({ alg: 'RS256', typ: 'JWT' }, payload))).toBeUndefined();
    for (const kid of ['', '../../key', 7, `${key.jwk.kid}=`, key.jwk.kid.toLowerCase()]) {
      expect(await verify(signed({ ...header, kid }, payload))).toBeUndefined();
    }
  });

  test.each([
    ['jwk', strangerKey.jwk],
    ['jku', 'https://attacker.example/jwks.json'],
    ['x5u', 'https://attacker.example/cert.pem'],
    ['x5c', ['MIIB']],
    ['x5t', 'AAAA'],
    ['crit', ['exp']],
    ['crit', []],
    ['b64', false],
    ['zip', 'DEF'],
    ['cty', 'JWT'],
    ['__proto__', { alg: 'RS256' }],
  ])('SES-70 with %s in its header', async (name, value) => {
    const extended = `${JSON.stringify(header).slice(0, -1)},"${name}":${JSON.stringify(value)}}`;
    expect(await verify(signed(extended, payload, strangerKey))).toBeUndefined();
    expect(await verify(signed(extended, payload))).toBeUndefined();
  });

  test.each(['at+jwt', 'jwt', 'JWS', '', null, undefined])('of the type %s', async (typ) => {
    expect(await verify(signed({ ...header, typ }, payload))).toBeUndefined();
  });
});

// SES-70
describe('claims that we would not write are refused', () => {
  test.each(Object.keys(payload) as (keyof typeof payload)[])('without %s', async (name) => {
    expect(await verify(signed(header, without(name)))).toBeUndefined();
  });

  test.each([
    ['another issuer', { iss: 'other' }],
    ['an issuer that begins like ours', { iss: 'agentkeep.attacker.example' }],
    ['another audience', { aud: 'other' }],
    ['a list of audiences', { aud: ['agentkeep'] }],
    ['an account that is no UUID', { sub: 'ann' }],
    ['an account in upper case', { sub: claims.accountId.toUpperCase() }],
    ['a session that is no UUID', { sid: '' }],
    ['a token id of version 7', { jti: claims.sessionId }],
    ['a blank username', { username: ' ' }],
    ['roles that are no list', { roles: 'Admin' }],
    ['roles that are no text', { roles: [1] }],
    ['too many roles', { roles: Array.from({ length: 33 }, (_, index) => `R${index}`) }],
    ['a tenant that is null', { tenant_id: null }],
    ['an empty tenant', { tenant_id: '' }],
    ['a credential without revision', { cid: claims.sessionId }],
    ['a revision without credential', { crev: 1 }],
    ['a revision of 0', { cid: claims.sessionId, crev: 0 }],
    ['an end as text', { exp: String(START + 3_600) }],
    ['an end with a fraction', { exp: START + 3_600.5 }],
    ['a huge end', { exp: 1e300 }],
    ['an end beyond all dates', { exp: 9_007_199_254_740_991 }],
    ['a negative end', { exp: -1 }],
    ['an end of null', { exp: null }],
    ['an end that has passed', { exp: START }],
    ['an end before its beginning', { iat: START + 3_601 }],
    ['a beginning as text', { iat: String(START) }],
    ['a time before which it is not valid', { nbf: START - 1 }],
    ['a claim of another purpose', { scope: 'all' }],
  ])('with %s', async (_, changed) => {
    expect(await verify(signed(header, { ...payload, ...changed }))).toBeUndefined();
  });

  test('with an end that no number can hold', async () => {
    const text = JSON.stringify(payload).replace(String(START + 3_600), '1e999');
    expect(await verify(signed(header, text))).toBeUndefined();
  });

  test('with a claim or a header member that is stated twice', async () => {
    const twice = (value: object, member: string): string =>
      `{${member},${JSON.stringify(value).slice(1)}`;
    expect(await verify(signed(header, twice(payload, '"roles":["Admin"]')))).toBeUndefined();
    expect(await verify(signed(header, twice(payload, '"exp":1')))).toBeUndefined();
    expect(await verify(signed(twice(header, '"alg":"none"'), payload))).toBeUndefined();
    expect(await verify(signed(twice(header, '"\\u0061lg":"none"'), payload))).toBeUndefined();
  });

  test.each(['null', '[]', '"text"', '7', '{', '\ufeff{}', ''])('that are %j', async (text) => {
    expect(await verify(signed(header, text))).toBeUndefined();
    expect(await verify(signed(text, payload))).toBeUndefined();
  });

  test('in bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify(payload).replace('ann', 'a\u00ffn'), 'latin1');
    const input = `${encoded(header)}.${bytes.toString('base64url')}`;
    const end = createSign('sha256').update(input).sign(key.privateKey, 'base64url');
    expect(await verify(`${input}.${end}`)).toBeUndefined();
  });
});

describe('a text of another form is refused', () => {
  const good = signed(header, payload);
  const [head = '', body = '', end = ''] = good.split('.');

  test.each([
    ['nothing', ''],
    ['dots', '..'],
    ['one part', head],
    ['two parts', `${head}.${body}`],
    ['four parts', `${good}.${end}`],
    ['a trailing dot', `${good}.`],
    ['no signature', `${head}.${body}.`],
    ['no payload', `${head}..${end}`],
    ['trailing data', `${good}A`],
    ['a trailing line break', `${good}\n`],
    ['a leading blank', ` ${good}`],
    ['padding', `${head}.${body}.${end}==`],
    ['the other alphabet', good.replaceAll('-', '+').replaceAll('_', '/')],
    ['a blank within', `${head}.${body}.${end.slice(0, 9)} ${end.slice(9)}`],
    ['a sign that is no letter', `${head}.${body}.${end.slice(0, -1)}é`],
    ['two tokens', `${good}.${good}`],
    ['a very long payload', `${head}.${body.repeat(100)}.${end}`],
    ['thousands of dots', '.'.repeat(8_000)],
  ])('with %s', async (_, token) => {
    expect(token).not.toBe(good);
    expect(await verify(token)).toBeUndefined();
  });

  test('in JSON serialization', async () => {
    const flat = JSON.stringify({ protected: head, payload: body, signature: end });
    expect(await verify(flat)).toBeUndefined();
  });

  test('with other claims under a valid signature', async () => {
    const changed = encoded({ ...payload, roles: ['SuperAdmin'] });
    expect(await verify(`${head}.${changed}.${end}`)).toBeUndefined();
  });
});
