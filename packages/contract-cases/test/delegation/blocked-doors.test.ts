/** Every way in that a block closes, and opens again (docs/contract/delegation.md#dlg-20). */
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalSpec, scope } from '../harness/documents.js';
import { type Fixture, testCase } from '../harness/fixture.js';
import { Party, PASSWORD, withUsers } from '../users/user-fixture.js';

const BLOCKED = '403 subject_blocked';
const version = { contract_version: 1 };

withUsers('DLG-20 a session and an API key of a person are refused, and go on', async (users) => {
  const { fixture, tenantAdmin } = users;
  const { credential } = await fixture.agent({ subject_id: 'ann' });
  const made = { username: 'ann', password: PASSWORD, credential_id: credential.id };
  result(await tenantAdmin.create(made));
  const person = await users.login('ann', { tenant_id: 'acme' });
  const { key } = result(await person.call('createApiKey', { document: { name: 'ci' } }));
  const byKey = new Party(fixture.transport, key, person.id);
  const block = async (expected_revision: number, is_blocked: boolean) => {
    const document = { ...version, expected_revision, is_blocked };
    result(await tenantAdmin.call('putSubject', { id: 'ann', document }));
  };
  const seen = () => Promise.all([person, byKey].map((party) => party.outcome('whoAmI')));
  expect(await seen()).toEqual(['200', '200']);
  await block(0, true);
  expect(await seen()).toEqual([BLOCKED, BLOCKED]);
  await block(1, false);
  expect(await seen()).toEqual(['200', '200']);
});

/** Blocks a subject, or ends the block. */
async function block({ admin }: Fixture, subject: string, revision: number, is_blocked: boolean) {
  const document = { ...version, expected_revision: revision, is_blocked };
  result(await admin.call('putSubject', { id: subject, document }));
}

testCase(
  'DLG-20 a token of an issuer ends, and its workload gets none until the end',
  async (t) => {
    const issuer = testIssuer();
    const keys = { mode: 'inline', keys: [issuer.key] };
    const trusted = { ...version, expected_revision: 0, issuer: 'https://ci.example.test' };
    const put = { ...trusted, audience: 'agentkeep', keys };
    result(await t.admin.call('putTrustedIssuer', { id: 'ci', document: put }));
    const federation = { issuer: 'ci', sub: { mode: 'prefix', prefix: 'repo:acme/' } };
    const spec = { ...minimalSpec, subject_id: 'deployer' };
    const { credential } = result(
      await t.admin.call('issueFederatedCredential', {
        document: { ...version, spec, federation },
      }),
    );
    const exchange = () => {
      const iat = Math.floor(t.clock.now() / 1_000);
      const claims = { iss: trusted.issuer, aud: 'agentkeep', sub: 'repo:acme/app', iat };
      const assertion = issuer.sign({ ...claims, exp: iat + 600 });
      const document = { ...version, credential_id: credential.id, assertion };
      return t.admin.with('').call('issueFederatedToken', { document });
    };
    const workload = t.admin.with(result(await exchange()).access_token);
    const seen = async () => [outcome(await workload.whoAmI()), outcome(await exchange())];
    expect(await seen()).toEqual(['200', '200']);
    await block(t, 'deployer', 0, true);
    const [byToken, again] = await seen();
    expect(byToken).toBe(refused.unauthorized);
    expect(again).toMatch(/^40[13] /);
    await block(t, 'deployer', 1, false);
    expect(await seen()).toEqual(['200', '200']);
  },
);

testCase('DLG-20 branches and shares of a blocked subject stay for others', async (t) => {
  const capabilities = ['memory_read', 'memory_write', 'memory_propose', 'memory_review'];
  const bob = await t.agent({ subject_id: 'bob', capabilities });
  const other = await t.agent({ subject_id: 'other', capabilities });
  const shared = { ...scope, visibility: 'shared' };
  const record = await bob.created(shared);
  const branchOf = { ...version, scopes: [shared], name: 'draft' };
  const { branch } = result(await bob.call('createMemoryBranch', { document: branchOf }));
  const asked = { id: branch.id, parameters: version };
  await block(t, 'bob', 0, true);
  expect(outcome(await bob.call('getMemoryBranch', asked))).toBe(BLOCKED);
  expect(result(await other.read(shared, record)).record.record_id).toBe(record);
  expect(outcome(await other.update(shared, [record, 1]))).toBe('200');
  await block(t, 'bob', 1, false);
  expect(result(await bob.call('getMemoryBranch', asked)).branch.id).toBe(branch.id);
  expect(result(await bob.read(shared, record)).record.revision).toBe(2);
});
