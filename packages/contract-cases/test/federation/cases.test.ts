/** Cases of credentials that issuers prove (docs/contract/federation.md). */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { minimalRecord, minimalSpec, scope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { hmacSigned, part, testIssuer } from '@agentkeep/testkit/test-issuer';

const version = { contract_version: 1 };
const ISSUER = 'https://ci.example.test';
const REFUSED = '401 assertion_refused';
const repository = { mode: 'prefix', prefix: 'repo:acme/' };
const ci = testIssuer();

function put(caller: Caller, revision: number, members: Members = {}, id = 'ci') {
  const keys = { mode: 'inline', keys: [ci.key] };
  const usual = { issuer: ISSUER, audience: 'agentkeep', keys };
  const document = { ...version, expected_revision: revision, ...usual, ...members };
  return caller.call('putTrustedIssuer', { id, document });
}

function issue(caller: Caller, rule: Members = {}, spec: Members = {}) {
  const federation = { issuer: 'ci', sub: repository, ...rule };
  const document = { ...version, spec: { ...minimalSpec, ...spec }, federation };
  return caller.call('issueFederatedCredential', { document });
}

function exchange(t: Fixture, credential_id: string, assertion: string) {
  const document = { ...version, credential_id, assertion };
  return t.admin.with('').call('issueFederatedToken', { document });
}

/** Claims of an assertion that is signed now and lives for ten minutes. */
function claims(t: Fixture, members: Members = {}): Members {
  const iat = Math.floor(t.clock.now() / 1_000);
  const usual = { iss: ISSUER, aud: 'agentkeep', sub: 'repo:acme/app:ref:main' };
  return { ...usual, iat, exp: iat + 600, ...members };
}

/** Returns the caller that an assertion proves. */
async function proved(t: Fixture, id: string, members: Members = {}): Promise<Caller> {
  const answer = result(await exchange(t, id, ci.sign(claims(t, members))));
  return t.admin.with(answer.access_token);
}

/** Trusts the issuer, and returns the id of a credential with a rule. */
async function ruled(t: Fixture, rule: Members = {}, spec: Members = {}): Promise<string> {
  result(await put(t.admin, 0));
  return result(await issue(t.admin, rule, spec)).credential.id;
}

describe('tokens', () => {
  testCase(
    'FED-C1, FED-12, FED-13, FED-14, FED-18, CRD-101 an assertion becomes a token',
    async (t) => {
      const claim = { path: ['kubernetes.io', 'namespace'], value: 'agents' };
      const id = await ruled(t, { claims: [claim] }, { subject_id: 'deployer', grants: [scope] });
      const stated = { 'kubernetes.io': { namespace: 'agents' } };
      const assertion = ci.sign(claims(t, stated));
      for (let times = 2; times > 0; times -= 1) {
        const { access_token, ...rest } = result(await exchange(t, id, assertion));
        expect(rest).toEqual({ contract_version: 1, token_type: 'Bearer', expires_in: 600 });
        const { credential } = result(await t.admin.with(access_token).whoAmI());
        expect(credential).toMatchObject({ id, spec: { subject_id: 'deployer' } });
        expect(credential.federation).toEqual({
          ...{ issuer: 'ci', sub: repository, claims: [claim] },
          ...{ subject_claim: null, token_seconds: 600 },
        });
        expect(credential).not.toHaveProperty('acting_service');
      }
      expect(result(await t.admin.inspect(id)).credential.federation?.issuer).toBe('ci');
    },
  );

  testCase(
    'FED-8, FED-19 keys of every kind sign, and one of several audiences counts',
    async (t) => {
      for (const [at, kind] of (['rsa', 'ec', 'ed25519'] as const).entries()) {
        const issuer = testIssuer('k', kind);
        const keys = {
          mode: 'inline',
          keys: [testIssuer('other').key, { ...issuer.key, use: 'jwt-svid' }],
        };
        result(await put(t.admin, at, { keys, issuer: null }));
        const id = result(await issue(t.admin)).credential.id;
        const stated = claims(t, { iss: undefined, aud: ['x', 'agentkeep'] });
        expect(outcome(await exchange(t, id, issuer.sign(stated)))).toBe('200');
      }
    },
  );

  testCase('FED-C2, FED-22 wrong assertions are refused, with an event', async (t) => {
    const id = await ruled(t, { claims: [{ path: ['ref'], value: 'main' }] });
    const good = claims(t, { ref: 'main' });
    const now = Number(good['iat']);
    const wrong: Readonly<Record<string, string>> = {
      none: `${part({ alg: 'none' })}.${part(good)}.`,
      hmac: hmacSigned(good, JSON.stringify(ci.key)),
      audience: ci.sign({ ...good, aud: 'other' }),
      issuer: ci.sign({ ...good, iss: `${ISSUER}/` }),
      key: testIssuer().sign(good),
      kid: ci.sign(good, { kid: 'k2' }),
      ownKey: testIssuer('k9').sign(good, { jwk: testIssuer('k9').key }),
      expired: ci.sign({ ...good, exp: now - 61 }),
      early: ci.sign({ ...good, nbf: now + 61 }),
      endless: ci.sign({ ...good, exp: undefined }),
      noSubject: ci.sign({ ...good, sub: undefined }),
      subject: ci.sign({ ...good, sub: 'repo:acmeX/app' }),
      claim: ci.sign({ ...good, ref: 'other' }),
      inherited: ci.sign({ ...good, ref: undefined }),
      form: 'x',
      header: '!.e30.AA',
    };
    for (const [name, assertion] of Object.entries(wrong)) {
      expect([name, outcome(await exchange(t, id, assertion))]).toEqual([name, REFUSED]);
    }
    const foreign = await t.agent();
    expect(outcome(await exchange(t, foreign.id, ci.sign(good)))).toBe(REFUSED);
    const unknown = '018f0000-0000-7000-8000-000000000000';
    expect(outcome(await exchange(t, unknown, ci.sign(good)))).toBe(REFUSED);
    expect(outcome(await exchange(t, id, ci.sign(good)))).toBe('200');
    const { events } = result(await t.admin.call('queryAudit', { parameters: {} }));
    const shown = events.filter(({ resource }) => resource === `credential:${id}`);
    const reasons = shown.map(({ event_type, metadata }) => [event_type, metadata['reason']]);
    // Only what the issuer has signed for this audience is in the log of the tenant.
    expect(reasons).toContainEqual(['access_granted', undefined]);
    const refusals = reasons.filter(([type]) => type === 'permission_denied');
    expect(new Set(refusals.map(([, reason]) => reason))).toEqual(new Set(['rule']));
  });

  testCase('FED-C3, FED-21 what a token stands for ends it at once', async (t) => {
    const id = await ruled(t, { token_seconds: 60 }, { subject_id: 'deployer' });
    const first = await proved(t, id);
    expect(outcome(await first.whoAmI())).toBe('200');
    t.clock.advance(60_000);
    expect(outcome(await first.whoAmI())).toBe(refused.unauthorized);
    const second = await proved(t, id);
    result(await put(t.admin, 1, { is_blocked: true }));
    expect(outcome(await second.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await exchange(t, id, ci.sign(claims(t))))).toBe(REFUSED);
    result(await put(t.admin, 2));
    expect(outcome(await second.whoAmI())).toBe(refused.unauthorized);
    const third = await proved(t, id);
    const blocked = { ...version, expected_revision: 0, is_blocked: true };
    result(await t.admin.call('putSubject', { id: 'deployer', document: blocked }));
    expect(outcome(await third.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await exchange(t, id, ci.sign(claims(t))))).toBe(REFUSED);
    const free = { ...version, expected_revision: 1 };
    result(await t.admin.call('putSubject', { id: 'deployer', document: free }));
    expect(outcome(await third.whoAmI())).toBe('200');
    result(await t.admin.revoke(id, 1));
    expect(outcome(await third.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await exchange(t, id, ci.sign(claims(t))))).toBe(REFUSED);
  });

  testCase('FED-C4, FED-15 a claim names the subject that is acted for', async (t) => {
    const capabilities = ['memory_read', 'memory_write', 'credential_admin', 'act_for'];
    const act_for = { mode: 'prefix', prefix: 'user-' };
    const spec = { subject_id: 'user-service', capabilities, act_for, grants: [scope] };
    const admin = await t.admin.appoint({ subject_id: 'boss', capabilities, grants: [] });
    result(await put(t.admin, 0));
    const id = result(await issue(admin, { subject_claim: ['actor'] }, spec)).credential.id;
    const ann = await proved(t, id, { actor: 'user-ann' });
    const { credential } = result(await ann.whoAmI());
    expect(credential.spec.subject_id).toBe('user-ann');
    expect(credential.spec.capabilities).toEqual(['memory_read', 'memory_write']);
    expect(credential.acting_service).toEqual({ subject_id: 'user-service' });
    const { receipt } = result(await ann.create(scope, minimalRecord, 'k'));
    expect(receipt.author).toEqual({ subject_id: 'user-ann', credential_id: id });
    // The subject of the credential itself gets no more than the others.
    const own = await proved(t, id, { actor: 'user-service' });
    expect(result(await own.whoAmI()).credential.spec.capabilities).not.toContain(
      'credential_admin',
    );
    for (const actor of ['ann', '', 7, ['user-ann'], undefined]) {
      expect(outcome(await exchange(t, id, ci.sign(claims(t, { actor }))))).toBe(REFUSED);
    }
    const document = { ...version, expected_revision: 0, is_blocked: true };
    result(await t.admin.call('putSubject', { id: 'user-ann', document }));
    expect(outcome(await ann.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await exchange(t, id, ci.sign(claims(t, { actor: 'user-ann' }))))).toBe(REFUSED);
  });

  testCase('FED-C8, FED-17 such a credential gets no secret, no key and no tokens', async (t) => {
    const capabilities = ['act_for', 'memory_read'];
    const id = await ruled(t, {}, { capabilities, act_for: { mode: 'all' } });
    expect(outcome(await t.admin.rotate(id, 1))).toBe(refused.invalid);
    const { publicKey } = generateKeyPairSync('ed25519');
    const key = { expected_revision: 1, public_key: publicKey.export({ format: 'jwk' }) };
    const replaced = await t.admin.call('replaceCredentialKey', {
      id,
      document: { ...version, ...key },
    });
    expect(outcome(replaced)).toBe(refused.invalid);
    const caller = await proved(t, id);
    const document = { ...version, subject_id: 'ann' };
    expect(outcome(await caller.call('issueSubjectToken', { document }))).toBe(refused.forbidden);
  });
});

describe('issuers and rules', () => {
  testCase('FED-C5, FED-16 a rule stays within what its maker may give', async (t) => {
    result(await put(t.admin, 0));
    const end = t.clock.now() + 60_000;
    const capabilities = ['credential_admin'];
    const narrow = await t.admin.appoint({ subject_id: 'narrow', capabilities, grants: [] });
    const short = await t.admin.appoint({
      ...{ subject_id: 'short', capabilities, grants: [], expires_at_millis: end },
    });
    const policies = { capabilities: ['policy_admin'] };
    expect(outcome(await issue(narrow, {}, policies))).toBe(refused.forbidden);
    expect(outcome(await issue(narrow, {}, { capabilities: ['memory_read'] }))).toBe('201');
    expect(outcome(await issue(t.admin, {}, policies))).toBe('201');
    expect(outcome(await issue(short))).toBe(refused.forbidden);
    expect(outcome(await issue(short, {}, { expires_at_millis: end + 1 }))).toBe(refused.forbidden);
    expect(outcome(await issue(short, {}, { expires_at_millis: end }))).toBe('201');
    expect(outcome(await issue(t.admin, { issuer: 'none' }))).toBe('404 issuer_not_found');
    expect(outcome(await issue(await t.agent()))).toBe(refused.forbidden);
    const foreign = await t.foreignAdmin();
    expect(outcome(await issue(foreign))).toBe('404 issuer_not_found');
  });

  testCase('FED-C6 wrong issuers and rules are refused', async (t) => {
    result(await put(t.admin, 0));
    for (const rule of [
      { sub: { mode: 'all' } },
      { subject_claim: ['actor'] },
      { token_seconds: 3_601 },
      { token_seconds: 59 },
      { claims: [{ path: [], value: 'x' }] },
      { claims: [{ path: ['a', 'b', 'c', 'd', 'e'], value: 'x' }] },
      { claims: [{ path: ['a'], value: 7 }] },
      { claims: Array.from({ length: 17 }, () => ({ path: ['a'], value: 'x' })) },
      { other: true },
    ]) {
      expect([rule, outcome(await issue(t.admin, rule))]).toEqual([rule, refused.invalid]);
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    const small = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;
    const inline = (keys: readonly unknown[]): Members => ({ keys: { mode: 'inline', keys } });
    for (const members of [
      { keys: { mode: 'discovery' }, issuer: null },
      { keys: { mode: 'discovery' }, issuer: 'ci' },
      { keys: { mode: 'address', jwks_uri: 'file:///keys' } },
      inline([]),
      inline([privateKey.export({ format: 'jwk' })]),
      inline([small.export({ format: 'jwk' })]),
      inline([{ kty: 'oct', k: 'AAAA' }]),
      inline([{ ...ci.key, x5c: [] }]),
      inline([{ ...ci.key, n: 'AQAB' }]),
      inline(Array.from({ length: 33 }, () => ci.key)),
      { audience: '' },
    ]) {
      const answer = await put(t.admin, 1, members);
      expect([members, outcome(answer)]).toEqual([members, refused.invalid]);
    }
  });

  testCase('FED-C7, FED-6, FED-7, FED-9, FED-10 issuers are put, shown and listed', async (t) => {
    const { issuer } = result(await put(t.admin, 0));
    const made = { updated_at_millis: t.clock.now(), updated_by: t.admin.id };
    const keys = { mode: 'inline', keys: [ci.key] };
    const shown = { name: 'ci', issuer: ISSUER, audience: 'agentkeep', keys };
    expect(issuer).toEqual({ ...shown, revision: 1, is_blocked: false, ...made });
    expect(outcome(await put(t.admin, 0))).toBe(refused.stale);
    expect(outcome(await put(await t.agent(), 1))).toBe(refused.forbidden);
    const address = { mode: 'address', jwks_uri: 'https://ci.example.test/keys' };
    result(await put(t.admin, 0, { keys: address, issuer: null }, 'a/b'));
    const get = (id: string) => t.admin.call('getTrustedIssuer', { id });
    expect(result(await get('ci')).issuer).toEqual(issuer);
    expect(result(await get('a/b')).issuer).toMatchObject({ issuer: null, keys: address });
    expect(outcome(await get('none'))).toBe('404 issuer_not_found');
    const listed = await t.admin.call('listTrustedIssuers', { parameters: version });
    expect(result(listed).page.items.map(({ name }) => name)).toEqual(['a/b', 'ci']);
    const { events } = result(await t.admin.call('queryAudit', { parameters: {} }));
    expect(events.filter(({ resource }) => resource === 'issuer:ci')).toHaveLength(1);
  });

  testCase('FED-20 a tenant that accepts keys only exchanges nothing', async (t) => {
    const admin = ['credential_admin'];
    const id = await ruled(t, {}, { capabilities: admin });
    const boss = await proved(t, id);
    const document = { ...version, expected_revision: 0, requires_keys: true };
    result(await boss.call('putKeyRequirement', { document }));
    expect(outcome(await boss.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await exchange(t, id, ci.sign(claims(t))))).toBe(REFUSED);
  });
});
