/** Which proofs are accepted (docs/contract/conventions.md#proofs). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, scope, spec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { allEntries, damage, overwrite } from '../harness/stored-entries.js';

const IDENTITY = '/api/v1/identity';

describe('how a proof is carried', () => {
  overHttp('CON-39 the header has one form', async (http) => {
    const { token } = http.fixture.admin;
    const forms: readonly (readonly [string, string])[] = [
      ['200', `Bearer ${token}`],
      ['200', `BEARER ${token}`],
      ['200', `bEaReR ${token}`],
      [refused.unauthorized, token],
      [refused.unauthorized, `Bearer${token}`],
      [refused.unauthorized, `Bearer\t${token}`],
      [refused.unauthorized, `Bearer  ${token}`],
      [refused.unauthorized, `Bearer ${token} x`],
      [refused.unauthorized, `Bearer ${token},`],
      [refused.unauthorized, 'Bearer'],
      [refused.unauthorized, 'Bearer '],
      [refused.unauthorized, ''],
      [refused.unauthorized, `Basic ${token}`],
      [refused.unauthorized, `Token ${token}`],
      [refused.unauthorized, `Bearers ${token}`],
      [refused.unauthorized, `Bearer ${token}é`],
      [refused.unauthorized, `Bearer ${token.slice(0, 40)}\t${token.slice(40)}`],
      [refused.unauthorized, `Bearer ${token}, Bearer ${token}`],
    ];
    for (const [expected, Authorization] of forms) {
      const reply = await http.send('GET', IDENTITY, { headers: { Authorization } });
      expect(outcome(reply), Authorization).toBe(expected);
    }
  });

  overHttp('CON-37, CON-38 two proofs are refused', async (http) => {
    const bearer = `Bearer ${http.fixture.admin.token}`;
    const twice = new Headers({ Authorization: bearer });
    twice.append('Authorization', bearer);
    expect(outcome(await http.send('GET', IDENTITY, { headers: twice }))).toBe(
      refused.unauthorized,
    );
    for (const key of ['ak_live_x', '', bearer]) {
      const both = { 'X-API-Key': key };
      expect(outcome(await http.get(IDENTITY, both))).toBe(refused.unauthorized);
    }
  });

  overHttp('CON-36 a proof anywhere else is ignored', async (http) => {
    const { token } = http.fixture.admin;
    const places: readonly (readonly [path: string, headers: Record<string, string>])[] = [
      [`${IDENTITY}?access_token=${token}`, {}],
      [`${IDENTITY}?authorization=Bearer%20${token}`, {}],
      [IDENTITY, { Cookie: `access_token=${token}; Authorization=Bearer ${token}` }],
      [IDENTITY, { 'X-API-Key': token }],
      [IDENTITY, { 'Proxy-Authorization': `Bearer ${token}` }],
    ];
    for (const [path, headers] of places) {
      expect(outcome(await http.send('GET', path, { headers }))).toBe(refused.unauthorized);
    }
  });

  overHttp('CON-42 long tokens are refused', async (http) => {
    for (const token of ['a'.repeat(128), 'a'.repeat(129), `a.b.${'c'.repeat(9_000)}`]) {
      const reply = await http.get(IDENTITY, { Authorization: `Bearer ${token}` });
      expect(outcome(reply)).toBe(refused.unauthorized);
    }
  });

  overHttp('an API key that was never issued is 401', async (http) => {
    for (const key of ['ak_live_x', 'a b', '', 'k'.repeat(200)]) {
      const reply = await http.send('GET', IDENTITY, { headers: { 'X-API-Key': key } });
      expect(outcome(reply)).toBe(refused.unauthorized);
    }
  });
});

describe('tokens', () => {
  testCase('CON-24, CON-32 a token has exactly its canonical form', async ({ admin }) => {
    const { token } = admin;
    const hex = token.slice(4, 36);
    const secret = token.slice(37);
    // The last character holds four bits of the secret and two zero bits.
    const last = String.fromCharCode(secret.charCodeAt(42) + 1);
    const forms = [
      `ak1_${hex.toUpperCase()}_${secret}`,
      `ak1_${hex}_${secret}=`,
      `ak1_${hex}_${secret.slice(0, 42)}${last}`,
      `ak1_${hex}_${secret.slice(0, 42)}`,
      `ak1_${hex}_${secret}A`,
      `ak1_${hex}_${secret.slice(0, 42)}+`,
      `ak1_${hex.slice(1)}_${secret}`,
      `ak1_${admin.id}_${secret}`,
      `AK1_${hex}_${secret}`,
      `ak2_${hex}_${secret}`,
      `akg1_${hex}_${secret}`,
      `ak1_${'0'.repeat(32)}_${secret}`,
      ` ${token}`,
      `${token}\n`,
      'a.b.c',
      '',
    ];
    const answers = await Promise.all(
      forms.filter((form) => form.trim() === form).map((form) => admin.with(form).whoAmI()),
    );
    expect(new Set(answers.map(outcome))).toEqual(new Set([refused.unauthorized]));
    expect(outcome(await admin.whoAmI())).toBe('200');
  });

  testCase('CON-35, CON-71 all refusals are the same', async (t) => {
    const agent = await t.agent();
    const missing = await t.transport('whoAmI', undefined, {});
    const malformed = await agent.with('x').whoAmI();
    const wrong = await agent.with(t.admin.token.slice(0, 37) + agent.token.slice(37)).whoAmI();
    result(await t.admin.revoke(agent.id, 1));
    const revoked = await agent.whoAmI();
    for (const answer of [malformed, wrong, revoked]) expect(answer.body).toEqual(missing.body);
  });

  testCase('a credential is dead from its last moment on', async (t) => {
    const agent = await t.agent({ expires_at_millis: t.clock.now() + 10 });
    t.clock.advance(9);
    expect(outcome(await agent.whoAmI())).toBe('200');
    t.clock.advance(1);
    expect(outcome(await agent.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await agent.create(scope))).toBe(refused.unauthorized);
  });

  testCase('CON-51 authority is read again for every request', async (t) => {
    const agent = await t.agent();
    expect(outcome(await agent.query(scope))).toBe('200');
    result(await t.admin.rescope(agent.id, 1, { grants: [] }));
    expect(outcome(await agent.query(scope))).toBe(refused.forbidden);
    result(await t.admin.revoke(agent.id, 2));
    expect(outcome(await agent.query(scope))).toBe(refused.unauthorized);
  });
});

describe('damage and secrecy', () => {
  testCase('CON-50 a credential that does not verify is an internal error', async (t) => {
    const agent = await t.agent();
    const id = Buffer.from(agent.id.replaceAll('-', ''), 'hex');
    const entries = (await allEntries(t.store)).filter(
      ({ subspace, key }) =>
        ['credentials', 'credentialLocators'].includes(subspace ?? '') &&
        Buffer.from(key).includes(id),
    );
    expect(entries).toHaveLength(2);
    for (const { key } of entries) {
      for (const at of ['version', 'content'] as const) {
        const repair = await damage(t.store, key, at);
        expect(outcome(await agent.whoAmI())).toBe(refused.internal);
        expect(outcome(await agent.create(scope))).toBe(refused.internal);
        await repair();
      }
    }
    expect(outcome(await agent.whoAmI())).toBe('200');
  });

  testCase('the record of another credential is no proof of this one', async (t) => {
    const [one, other] = [await t.agent(), await t.agent()];
    const stored = (await allEntries(t.store)).filter(({ subspace }) => subspace === 'credentials');
    const entryOf = ({ id }: { id: string }) =>
      stored.find(({ key }) => Buffer.from(key).toString('hex').endsWith(id.replaceAll('-', '')))!;
    await overwrite(t.store, entryOf(one).key, entryOf(other).value);
    expect(outcome(await one.whoAmI())).toBe(refused.internal);
    expect(outcome(await other.whoAmI())).toBe('200');
  });

  testCase('CON-33 no secret is stored in a reversible form', async (t) => {
    const agent = await t.admin.appoint(spec({ grants: [scope] }));
    const { secret: rotated } = result(await t.admin.rotate(agent.id, 1));
    const secrets = [t.admin.token, agent.token, rotated].map((token) => token.slice(37));
    for (const { key, value } of await allEntries(t.store)) {
      const entry = Buffer.concat([key, value]);
      for (const secret of secrets) {
        const bytes = Buffer.from(secret, 'base64url');
        for (const form of [secret, bytes, bytes.toString('hex'), bytes.toString('base64')]) {
          expect(entry.includes(form)).toBe(false);
        }
      }
    }
  });

  testCase('CRD-41, CRD-51 a secret is shown once', async ({ admin }) => {
    const issued = await admin.issue(minimalSpec);
    const { credential, secret } = result(issued);
    const rotated = await admin.rotate(credential.id, 1);
    const later = [
      await admin.inspect(credential.id),
      await admin.list(),
      await admin.with(result(rotated).secret).whoAmI(),
      await admin.revoke(credential.id, 2),
    ];
    const text = JSON.stringify(later);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('verifier');
    for (const token of [secret, result(rotated).secret]) {
      expect(text).not.toContain(token.slice(37));
    }
    expect(Object.keys(result(issued)).sort()).toEqual([
      'contract_version',
      'credential',
      'secret',
    ]);
  });
});
