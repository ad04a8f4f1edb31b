/** Ways to act again for a subject that was erased (docs/contract/erasure.md#era-29). */
import { agentFor } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { expect } from 'vitest';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import { minimalSpec, scope } from '@agentkeep/contract-cases/documents';
import { bothWays, type Fixture } from '@agentkeep/contract-cases/fixture';

const version = { contract_version: 1 };
const ERASED = '403 subject_erased';
const subject_id = 'erased-person';
const spec = { ...minimalSpec, subject_id };

async function erase(t: Fixture): Promise<void> {
  const document = { ...version, target: { kind: 'subject', subject_id } };
  const { id } = result(await t.admin.call('startErasure', { document })).erasure;
  await eventually(async () => {
    const { erasure } = result(await t.admin.call('getErasure', { id }));
    expect(erasure.status).toBe('finished');
  });
}

bothWays('ERA-29 no way leads to a proof of an erased subject', async (t) => {
  const ci = testIssuer();
  const keys = { mode: 'inline', keys: [ci.key] };
  const issuer = { issuer: 'https://ci.example.test', audience: 'agentkeep', keys };
  const trust = { ...version, expected_revision: 0, ...issuer };
  result(await t.admin.call('putTrustedIssuer', { id: 'ci', document: trust }));
  const options = { tenantId: 'acme', subjectId: subject_id, scopes: [scope] } as const;
  const held = await agentFor(t.keep, options);
  await held.memory.remember('of the person');
  const capabilities = ['act_for', 'memory_read', 'credential_admin'];
  const service = await t.agent({ subject_id: 'bot', capabilities, act_for: { mode: 'all' } });
  await erase(t);

  const federation = { issuer: 'ci', sub: { mode: 'only', ids: ['person'] } };
  const public_key = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  };
  const master = await t.master();
  const ways = {
    token: () => service.call('issueSubjectToken', { document: { ...version, subject_id } }),
    credential: () => t.admin.call('issueCredential', { document: { ...version, spec } }),
    key: () => t.admin.call('issueKeyCredential', { document: { ...version, spec, public_key } }),
    federated: () =>
      t.admin.call('issueFederatedCredential', { document: { ...version, spec, federation } }),
    admin: () =>
      master.call('issueTenantAdmin', { id: 'acme', document: { ...version, subject_id } }),
  };
  const all = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(ways).map(async ([name, ask]) => [name, outcome(await ask())] as const),
      ),
    );
  const names = Object.keys(ways);
  expect(await all()).toEqual(Object.fromEntries(names.map((name) => [name, ERASED])));
  await expect(held.memory.recall('person')).rejects.toMatchObject({ code: 'unauthorized' });
  for (const renew of [false, true]) {
    const again = agentFor(t.keep, { ...options, renew });
    await expect(again).rejects.toMatchObject({ code: 'subject_erased' });
  }

  // Only an administrator of credentials admits it.
  const document = { ...version, expected_revision: 0 };
  const agent = await t.agent({ subject_id: 'somebody' });
  const asked = await agent.call('putSubject', { id: subject_id, document });
  expect(outcome(asked)).toBe('403 forbidden');
  expect(outcome(await ways.token())).toBe(ERASED);
  result(await t.admin.call('putSubject', { id: subject_id, document }));
  expect(await all()).toEqual(
    Object.fromEntries(names.map((name) => [name, expect.stringMatching(/^20[01]/u) as string])),
  );
  const anew = await agentFor(t.keep, options);
  expect(await anew.memory.recall('person')).toEqual([]);
});
