/**
 * Cases of credentials with keys, as administrators see them. Calls with keys are tested beside the
 * server (docs/contract/key-credentials.md).
 */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { minimalSpec, spec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const version = { contract_version: 1 };

type Jwk = Readonly<Record<string, unknown>>;

function publicKey(kind: 'ed25519' | 'P-256' | 'P-384' = 'ed25519'): Jwk {
  const { publicKey: key } =
    kind === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: kind });
  return { ...key.export({ format: 'jwk' }) };
}

function thumbprint({ crv, kty, x, y }: Jwk): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

function issue(caller: Caller, public_key: unknown, members: Members = minimalSpec) {
  const document = { ...version, spec: members, public_key };
  return caller.call('issueKeyCredential', { document });
}

testCase(
  'KCR-4, KCR-5, KCR-6, CRD-100 a credential is issued for a key',
  async ({ admin, clock }) => {
    for (const kind of ['ed25519', 'P-256'] as const) {
      const key = publicKey(kind);
      const { credential, token } = result(await issue(admin, key));
      expect(token).toBe(`akk1_${credential.id.replaceAll('-', '')}`);
      expect(credential).toMatchObject({ revision: 1, key_thumbprint: thumbprint(key) });
      expect(credential.history).toEqual([
        { revision: 1, action: 'issued', actor_id: admin.id, at_millis: clock.now() },
      ]);
      expect(result(await admin.inspect(credential.id)).credential).toEqual(credential);
      expect(outcome(await admin.with(token).whoAmI())).toBe(refused.unauthorized);
    }
    const past = spec({ expires_at_millis: clock.now() });
    expect(outcome(await issue(admin, publicKey(), past))).toBe(refused.invalid);
  },
);

testCase('KCR-3 keys of other kinds are refused', async ({ admin }) => {
  const key = publicKey('P-256');
  for (const each of [
    publicKey('P-384'),
    { ...key, d: key['x'] },
    { ...key, use: 'sig' },
    { ...key, y: key['x'] },
    { ...key, x: `${String(key['x'])}=` },
    { kty: 'oct', k: 'AAAA' },
    'key',
    null,
  ]) {
    expect(outcome(await issue(admin, each))).toBe(refused.invalid);
  }
});

testCase('KCR-17 the key requirement is shown and stated', async (t) => {
  const get = () => t.admin.call('getKeyRequirement', {});
  const put = (caller: Caller, members: Members) =>
    caller.call('putKeyRequirement', { document: { ...version, ...members } });
  const none = { revision: 0, requires_keys: false, updated_at_millis: null, updated_by: null };
  expect(result(await get()).requirement).toEqual(none);
  const allowed = { expected_revision: 0, requires_keys: false };
  expect(outcome(await put(await t.agent(), allowed))).toBe(refused.forbidden);
  expect(outcome(await put(t.admin, { ...allowed, requires_keys: true }))).toBe(refused.forbidden);
  expect(outcome(await put(t.admin, { expected_revision: 0 }))).toBe(refused.invalid);
  const made = { updated_at_millis: t.clock.now(), updated_by: t.admin.id };
  const requirement = { revision: 1, requires_keys: false, ...made };
  expect(result(await put(t.admin, allowed)).requirement).toEqual(requirement);
  expect(outcome(await put(t.admin, allowed))).toBe(refused.stale);
  expect(result(await get()).requirement).toEqual(requirement);
});

testCase('KCR-4, KCR-6 a key replaces a secret, and is not rotated', async (t) => {
  const agent = await t.agent();
  const replace = (caller: Caller, expected_revision: number, members: Members = {}) => {
    const document = { ...version, expected_revision, public_key: publicKey(), ...members };
    return caller.call('replaceCredentialKey', { id: agent.id, document });
  };
  expect(outcome(await replace(agent, 1))).toBe(refused.forbidden);
  expect(outcome(await replace(t.admin, 2))).toBe(refused.stale);
  const { credential } = result(await replace(t.admin, 1, { overlap_seconds: 60 }));
  expect(credential).toMatchObject({ revision: 2, key_thumbprint: expect.any(String) });
  expect(credential.history.at(-1)).toMatchObject({ action: 'rotated' });
  expect(outcome(await agent.whoAmI())).toBe('200');
  t.clock.advance(60_000);
  expect(outcome(await agent.whoAmI())).toBe(refused.unauthorized);
  expect(outcome(await t.admin.rotate(agent.id, 2))).toBe(refused.invalid);
  expect(result(await t.admin.inspect(agent.id)).credential.revision).toBe(2);
  result(await replace(t.admin, 2));
  result(await t.admin.revoke(agent.id, 3));
  expect(outcome(await replace(t.admin, 4))).toBe(refused.forbidden);
});
